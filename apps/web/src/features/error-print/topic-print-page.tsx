import { SignedLinkNotice } from '../../ui/signed-link-notice.tsx'

export function TopicPrintPage() {
  return <SignedLinkNotice page="topicPrint" />
}
