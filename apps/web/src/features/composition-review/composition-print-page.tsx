import { SignedLinkNotice } from '../../ui/signed-link-notice.tsx'

export function CompositionPrintPage() {
  return <SignedLinkNotice page="composition" />
}
