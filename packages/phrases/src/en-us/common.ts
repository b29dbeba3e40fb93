import type { SameShape } from '../shape.ts'
import type { common as source } from '../zh-cn/common.ts'

export const common: SameShape<typeof source> = {
  productName: 'Teaching Console',
  save: 'Save',
  cancel: 'Cancel',
  confirm: 'OK',
  close: 'Close',
  retry: 'Try again',
  refresh: 'Refresh',
  back: 'Back',
  backHome: 'Back to home',
  backToLogin: 'Back to sign in',
  copy: 'Copy',
  copied: 'Copied',
  copyFailed: 'Copy failed',
  loading: 'Loading',
  requestNumber: 'Request',
  copyRequestNumber: 'Copy the request number {id}',
  untitled: 'Untitled',
  invalidDate: 'Invalid date',
  language: 'Language',
  languageName: 'English',
  languages: {
    zhCN: '简体中文',
    enUS: 'English',
  },
  theme: {
    toDark: 'Switch to the dark appearance',
    toLight: 'Switch to the light appearance',
  },
  skipToContent: 'Skip to the main content',
}
