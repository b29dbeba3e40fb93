import { theme, type ThemeConfig } from 'antd'

const fonts = 'system-ui, "PingFang SC", "HarmonyOS Sans SC", "Microsoft YaHei", "Noto Sans SC", sans-serif'

/** antd's own blue, green, gold and red fall under 4.5 on white, hence the darker steps. */
const light = {
  colorPrimary: '#23508f',
  colorPrimaryHover: '#2f66b0',
  colorPrimaryActive: '#173a6b',
  colorPrimaryBg: '#e9eff8',
  colorPrimaryBgHover: '#dbe5f3',
  colorPrimaryBorder: '#a9bfdf',
  colorInfo: '#23508f',
  colorLink: '#23508f',
  colorLinkHover: '#173a6b',
  colorSuccess: '#1d7440',
  colorWarning: '#8f5600',
  colorError: '#b92e22',
  colorText: '#1b232d',
  colorTextSecondary: '#4d5865',
  colorTextTertiary: '#626d7a',
  colorTextDescription: '#5a6572',
  colorTextPlaceholder: '#6a7480',
  colorBorder: '#cfd5dc',
  colorBorderSecondary: '#e3e7ec',
  colorSplit: '#e3e7ec',
  colorBgLayout: '#f4f6f8',
  colorBgContainer: '#ffffff',
  colorBgElevated: '#ffffff',
}

const dark = {
  colorPrimary: '#86aef0',
  colorPrimaryHover: '#a3c2f5',
  colorPrimaryActive: '#6f9be6',
  colorPrimaryBg: '#1c2a40',
  colorPrimaryBgHover: '#233552',
  colorPrimaryBorder: '#37527d',
  colorPrimaryText: '#86aef0',
  colorInfo: '#86aef0',
  colorLink: '#86aef0',
  colorLinkHover: '#a3c2f5',
  colorSuccess: '#67c08a',
  colorWarning: '#dca84f',
  colorError: '#fb9d92',
  colorErrorHover: '#f5a097',
  colorErrorText: '#fb9d92',
  colorErrorBorder: '#7a3a34',
  colorText: '#e4e8ed',
  colorTextSecondary: '#b1bac5',
  colorTextTertiary: '#97a2af',
  colorTextDescription: '#a2acb8',
  colorTextPlaceholder: '#8f9aa7',
  colorBorder: '#3d4650',
  colorBorderSecondary: '#2c343d',
  colorSplit: '#2c343d',
  colorBgLayout: '#14181d',
  colorBgContainer: '#1b2027',
  colorBgElevated: '#232a32',
  colorTextLightSolid: '#0f141a',
}

export function themeFor(isDark: boolean, reducedMotion: boolean): ThemeConfig {
  return {
    algorithm: isDark ? theme.darkAlgorithm : theme.defaultAlgorithm,
    // A fixed key, so that the variables of antd stand on <html class="console"> and our own styles can use them.
    cssVar: { key: 'console' },
    hashed: false,
    token: {
      ...(isDark ? dark : light),
      fontFamily: fonts,
      fontSize: 14,
      lineHeight: 22 / 14,
      fontWeightStrong: 600,
      borderRadius: 6,
      borderRadiusLG: 6,
      borderRadiusSM: 4,
      controlHeight: 34,
      controlHeightLG: 40,
      motion: !reducedMotion,
      boxShadow: '0 6px 20px rgb(15 23 32 / 14%)',
      boxShadowSecondary: '0 6px 20px rgb(15 23 32 / 14%)',
    },
    components: {
      Button: { primaryShadow: 'none', defaultShadow: 'none', dangerShadow: 'none', fontWeight: 400 },
      Input: { activeShadow: `0 0 0 2px ${isDark ? '#86aef040' : '#23508f26'}` },
      Tabs: { horizontalItemGutter: 24, titleFontSizeLG: 14 },
      Form: { itemMarginBottom: 24, verticalLabelPadding: '0 0 4px', labelColor: isDark ? '#b1bac5' : '#4d5865' },
    },
  }
}
