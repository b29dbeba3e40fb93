// In this order: Edge and Opera also say Chrome, Chrome also says Safari, a phone's WeChat says all of them.
const browsers: readonly (readonly [string, RegExp])[] = [
  ['WeChat', /MicroMessenger\/(\d+)/],
  ['QQ', /\bM?QQBrowser\/(\d+)/],
  ['360', /\b360SE\b|QIHU/],
  ['Edge', /\bEdgA?\/(\d+)/],
  ['Opera', /\bOPR\/(\d+)/],
  ['Firefox', /\b(?:Firefox|FxiOS)\/(\d+)/],
  ['Chrome', /\b(?:Headless)?(?:Chrome|CriOS)\/(\d+)/],
  ['Safari', /\bVersion\/(\d+)[.\d]* (?:Mobile\/\S+ )?Safari\//],
]
const systems: readonly (readonly [string, RegExp])[] = [
  ['iPad', /\biPad\b/],
  ['iPhone', /\biPhone\b/],
  ['HarmonyOS', /\bHarmonyOS\b|OpenHarmony/],
  ['Android', /\bAndroid\b/],
  ['Windows', /\bWindows NT\b/],
  ['macOS', /\bMac OS X\b/],
  ['Linux', /\bLinux\b/],
]

/** What a person recognises a device by: browser and system. Empty when the text says neither. */
export function deviceName(userAgent: string): string {
  const browser = browsers
    .map(([name, pattern]) => ({ name, match: pattern.exec(userAgent) }))
    .find(({ match }) => match)
  const system = systems.find(([, pattern]) => pattern.test(userAgent))?.[0]
  const version = browser?.match?.[1]
  const named = browser ? [browser.name, version].filter(Boolean).join(' ') : ''
  return [named, system].filter(Boolean).join(' · ')
}
