/** What the server itself says: on its start screen, in messages it sends, in its commands. */
export const server = {
  wait: {
    seconds: '{count} 秒',
    minutes: '{count} 分钟',
  },
  sms: {
    loginCode: '您的登录验证码是 {code}，5 分钟内有效。如非本人操作，请忽略。',
  },
}
