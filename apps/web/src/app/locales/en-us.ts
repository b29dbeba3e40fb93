import antd from 'antd/es/locale/en_US'
import 'dayjs/locale/en'
import { enUS } from '@console/phrases/en-us'

export const bundle = { phrases: enUS, antd, dayjs: 'en' }
