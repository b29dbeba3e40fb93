export const environment = {
  testWarning: '当前处于测试环境！',
  version: '版本 {version}',
  unreachable: '无法连接服务器，登录前请检查网络',
}
