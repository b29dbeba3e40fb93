import antd from 'antd/es/locale/zh_CN'
import 'dayjs/locale/zh-cn'
import { zhCN } from '@console/phrases/zh-cn'

export const bundle = { phrases: zhCN, antd, dayjs: 'zh-cn' }
