export const shell = {
  navigation: {
    header: '页眉',
    userMenu: '{name} 的账号菜单',
    myHome: '我的首页',
    changePassword: '修改密码',
    logout: '退出登录',
  },
  logout: {
    title: '退出登录确认',
    text: '您确定要退出当前账号吗？打开的标签页和个人设置将会保存。',
    leaving: '正在退出登录',
  },
  sessionEnded: {
    revoked: '此设备已被退出登录，请重新登录',
    disabled: '该账号已停用，请联系学校管理员',
    password: '密码已修改，请用新密码重新登录',
    expired: '登录已过期，请重新登录',
  },
  home: {
    title: '首页',
    greeting: {
      dawn: '夜深了，{name}',
      morning: '早上好，{name}',
      noon: '中午好，{name}',
      afternoon: '下午好，{name}',
      evening: '晚上好，{name}',
    },
    administrator: '学校管理员',
    classes: {
      title: '任教班级',
      summary: '{classes} 个班级 · {subjects} 个学科',
      none: '还没有为您安排任教班级',
      noneAction: '请学校管理员在“教师设置”中添加任教关系，之后这里会按学科列出您的班级。',
    },
    pbs: {
      title: 'pbs 平台试卷',
      none: 'pbs 平台上还没有您的试卷',
      noneAction: '在 pbs 平台新建或收到试卷后，会列在这里。',
      refresh: '从 pbs 更新我的资料',
      refreshed: '已更新，您的姓名是 {name}',
    },
    devices: {
      title: '登录设备',
      hint: '不认识的设备请退出登录，并修改密码。',
      current: '本机',
      unknown: '未知设备',
      lastSeen: '最近使用 {time}',
      signedIn: '登录于 {time}',
      end: '退出',
      endTitle: '让这台设备退出登录？',
      endText: '{device} 上需要重新登录才能继续使用。',
      ended: '该设备已退出登录',
      none: '没有其他登录设备',
    },
  },
  page: {
    forbidden: {
      title: '无权访问',
      text: '抱歉，您没有权限访问此页面。',
    },
    missing: {
      title: '页面不存在',
      text: '抱歉，您访问的页面不存在。',
    },
    broken: {
      title: '服务器错误',
      text: '抱歉，服务器出错了。',
    },
    startFailed: {
      title: '暂时无法载入账号',
      text: '您的登录还在，连接恢复后重试即可。',
    },
    loadFailed: {
      title: '页面没有载入成功',
      text: '可能是网络中断，或系统刚刚更新。其他页面填写的内容没有受影响。',
    },
    crashed: {
      title: '页面出现异常',
      text: '这一页遇到了意外错误，已记入前端日志。',
    },
  },
  signedLink: {
    missingTitle: '缺少打印链接',
    missingText: '此页需要通过带签名的链接打开，当前地址中没有链接信息，或链接已过期。',
    how: '请向老师索取新的链接，或在系统中重新生成后再打开。',
    errorPrint: {
      title: '错题打印',
      about: '这里用来打印一名学生的错题。',
    },
    topicPrint: {
      title: '错题专题打印',
      about: '这里用来按专题打印一名学生的错题。',
    },
    composition: {
      title: '作文批阅结果',
      about: '这里用来在小程序中查看并打印一篇作文的批阅结果。',
    },
  },
}
