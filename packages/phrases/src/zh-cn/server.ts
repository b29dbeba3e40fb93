/** What the server itself says: on its start screen, in messages it sends, in its commands. */
export const server = {
  wait: {
    seconds: '{count} 秒',
    minutes: '{count} 分钟',
  },
  sms: {
    loginCode: '您的登录验证码是 {code}，5 分钟内有效。如非本人操作，请忽略。',
  },
  start: {
    title: '教学工作台',
    database: '正在打开数据库…',
    demo: '正在建立示范学校…',
    ready: '已就绪（{seconds} 秒）',
    administrator: '管理员',
    teacher: '教师',
    password: '密码',
    tryFirst: '先试试',
    tryFirstSteps: '用教师账号登录 → 查看任教班级 → 右上角切换 English 与深色模式 → 修改密码、查看登录设备',
    data: '数据',
    log: '日志',
    stop: '按 Ctrl+C 停止',
    realData: '这里是真实学校的数据，请用 npm run serve 启动。',
    notForProduction: 'ENV_TYPE=production 时不建立示范学校，请用 npm run serve 启动。',
  },
  serve: {
    demoData: '这里是示范学校的数据，不能用于正式运行：请把 DATA_DIR 或 DATABASE_URL 指向别处。',
    noAdministrator: '还没有学校。建立第一位管理员：npm run admin -- create --school 学校名 --name 姓名 --phone 手机号',
  },
  admin: {
    usage:
      '用法：npm run admin -- create --school 学校名 --name 姓名 --phone 手机号 [--password 密码]，或 npm run admin -- reset-password --phone 手机号',
    done: '完成。手机号 {phone}，密码 {password}（只显示这一次）',
    unknown: '没有手机号为 {phone} 的账号',
  },
}
