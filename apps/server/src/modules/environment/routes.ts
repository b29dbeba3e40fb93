import * as contract from '@console/contract'
import { handle, type Route } from '../../http/context.ts'
import { maskTokens } from './mask.ts'

export const environmentRoutes: Route[] = [
  handle(contract.environment, async ({ services: { config, partners } }) => ({
    title: config.TITLE,
    website: config.WEBSITE,
    company: config.COMPANY,
    version: config.VERSION,
    buildTime: config.BUILD_TIME,
    envType: config.ENV_TYPE,
    pdfServer: config.PDF_SERVER,
    utilityToolMenu: config.MENU_UTILITY_TOOL,
    oldExamMenu: config.MENU_OLD_EXAM,
    entrances: [...partners.configured(), ...(config.WFL_SECRET ? ['wfl' as const] : [])],
    smsLogin: config.SMS_GATEWAY === 'http' || config.ENV_TYPE !== 'production',
    wflHost: config.WFL_HOST ?? '',
    uploadLimit: config.UPLOAD_LIMIT_MB * 1024 * 1024,
  })),

  handle(contract.logAdd, async ({ services, body, requestId }) => {
    for (const entry of body.entries) {
      const { message, page, ...rest } = entry
      services.log.info(
        { console: { ...rest, message: maskTokens(message), page: maskTokens(page) }, requestId },
        'console log',
      )
    }
    return null
  }),
]
