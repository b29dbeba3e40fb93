import type { server as source } from '../zh-cn/server.ts'
import type { SameShape } from '../shape.ts'

export const server: SameShape<typeof source> = {
  wait: {
    seconds: '{count, plural, one {# second} other {# seconds}}',
    minutes: '{count, plural, one {# minute} other {# minutes}}',
  },
  sms: {
    loginCode: 'Your login code is {code}, valid for 5 minutes. Ignore this message if you did not ask for it.',
  },
  start: {
    title: 'Teaching console',
    database: 'Opening the database…',
    demo: 'Setting up the demo school…',
    ready: 'Ready ({seconds} s)',
    administrator: 'Administrator',
    teacher: 'Teacher',
    password: 'Password',
    tryFirst: 'Try first',
    tryFirstSteps:
      'Sign in as the teacher → see the classes → switch to English and to dark at the top right → change the password, see the devices',
    data: 'Data',
    log: 'Log',
    stop: 'Ctrl+C stops it',
    realData: 'This is the data of a real school: use npm run serve.',
    notForProduction: 'No demo school with ENV_TYPE=production: use npm run serve.',
  },
  serve: {
    demoData: 'This is the data of the demo school and not for production: point DATA_DIR or DATABASE_URL elsewhere.',
    noAdministrator:
      'There is no school yet. Make the first administrator: npm run admin -- create --school NAME --name NAME --phone NUMBER',
  },
  admin: {
    usage:
      'Usage: npm run admin -- create --school NAME --name NAME --phone NUMBER [--password PASSWORD], or npm run admin -- reset-password --phone NUMBER',
    done: 'Done. Phone {phone}, password {password} (shown this once)',
    unknown: 'There is no account with the phone number {phone}',
  },
}
