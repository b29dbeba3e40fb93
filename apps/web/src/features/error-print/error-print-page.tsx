import { SignedLinkNotice } from '../../ui/signed-link-notice.tsx'

export function ErrorPrintPage() {
  return <SignedLinkNotice page="errorPrint" />
}
