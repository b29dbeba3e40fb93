import type { SameShape } from '../shape.ts'
import type { shell as source } from '../zh-cn/shell.ts'

export const shell: SameShape<typeof source> = {
  navigation: {
    header: 'Header',
    userMenu: 'Account menu of {name}',
    myHome: 'My home',
    changePassword: 'Change password',
    logout: 'Log out',
  },
  logout: {
    title: 'Logout confirmation',
    text: 'Are you sure you are logged out of your current account? Open tabs and personal settings will be saved.',
    leaving: 'Logging out',
  },
  sessionEnded: {
    revoked: 'This device was signed out. Please sign in again',
    disabled: 'This account is disabled, please ask the school administrator',
    password: 'The password was changed. Please sign in with the new one',
    expired: 'The sign-in has expired. Please sign in again',
  },
  home: {
    title: 'Home',
    greeting: {
      dawn: 'It is late, {name}',
      morning: 'Good morning, {name}',
      noon: 'Good day, {name}',
      afternoon: 'Good afternoon, {name}',
      evening: 'Good evening, {name}',
    },
    administrator: 'School administrator',
    classes: {
      title: 'My classes',
      summary:
        '{classes, plural, one {# class} other {# classes}} · {subjects, plural, one {# subject} other {# subjects}}',
      none: 'No classes are assigned to you yet',
      noneAction: 'Ask the school administrator to add them in teacher settings; they will be listed here by subject.',
    },
    pbs: {
      title: 'Papers at pbs',
      none: 'pbs has no papers of yours yet',
      noneAction: 'Papers that you make or receive there are listed here.',
      refresh: 'Update my details from pbs',
      refreshed: 'Updated: your name is {name}',
    },
    devices: {
      title: 'Signed-in devices',
      hint: 'Sign out any device you do not recognise, then change your password.',
      current: 'This device',
      unknown: 'Unknown device',
      lastSeen: 'Last used {time}',
      signedIn: 'Signed in {time}',
      end: 'Sign out',
      endTitle: 'Sign this device out?',
      endText: '{device} will have to sign in again.',
      ended: 'The device was signed out',
      none: 'No other device is signed in',
    },
  },
  page: {
    forbidden: {
      title: 'No access',
      text: "Sorry, you don't have access to this pages.",
    },
    missing: {
      title: 'Page not found',
      text: 'Sorry, the pages you visited does not exist.',
    },
    broken: {
      title: 'Server error',
      text: 'Sorry, the server is reporting an error.',
    },
    startFailed: {
      title: 'Your account could not be loaded',
      text: 'You are still signed in. Try again when the connection is back.',
    },
    loadFailed: {
      title: 'The page did not load',
      text: 'The network may have failed, or the system was just updated. Nothing typed on other pages is lost.',
    },
    crashed: {
      title: 'Something went wrong on this page',
      text: 'This page met an unexpected error, which is in the console log.',
    },
  },
  signedLink: {
    missingTitle: 'The print link is missing',
    missingText: 'This page opens by a signed link. The address carries none, or the link has expired.',
    how: 'Ask the teacher for a new link, or make one again in the console.',
    errorPrint: {
      title: 'Wrong-question printing',
      about: "This page prints one student's wrong questions.",
    },
    topicPrint: {
      title: 'Wrong-question printing by topic',
      about: "This page prints one student's wrong questions, topic by topic.",
    },
    composition: {
      title: 'Composition review',
      about: 'This page shows and prints the review of one composition in the mini-program.',
    },
  },
}
