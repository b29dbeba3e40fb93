import type { PhraseKey } from '@console/phrases'
import type { ComponentType } from 'react'
import { redirect, type RouteObject } from 'react-router'
import { StartingScreen } from '../ui/starting-screen.tsx'
import { loadChunk } from './chunk.ts'
import { requireSession } from './guards.ts'
import { loginLoader, wflLoader } from './handed-token.ts'
import { homePath } from './redirect-target.ts'
import { Root } from './root.tsx'
import { RouteFailure } from './route-failure.tsx'

export type RouteHandle = { title: PhraseKey }

type PageOptions = Pick<RouteObject, 'loader'>

/** A page is its path, its title, and the named export of a module that is loaded when it is first opened. */
function page<N extends string>(
  path: string,
  title: PhraseKey,
  load: () => Promise<Record<N, ComponentType>>,
  name: N,
  options: PageOptions = {},
): RouteObject {
  const handle: RouteHandle = { title }
  return { path, handle, ...options, lazy: { Component: async () => (await loadChunk(load))[name] } }
}

const toHome = () => redirect(homePath)

const partners = () => import('../features/auth/partner-pages.tsx')

const publicPages: RouteObject[] = [
  page('login', 'auth.login.title', () => import('../features/auth/login-page.tsx'), 'LoginPage', {
    loader: loginLoader,
  }),
  page('wflLogin', 'auth.wfl.title', () => import('../features/auth/wfl-page.tsx'), 'WflPage', { loader: wflLoader }),
  page('szjxLogin', 'auth.login.title', partners, 'SzjxLoginPage'),
  page('shiWaiLogin', 'auth.login.title', partners, 'ShiWaiLoginPage'),
  page('pbsLogin', 'auth.login.title', partners, 'PbsLoginPage'),
  page('register', 'auth.register.title', () => import('../features/auth/register-page.tsx'), 'RegisterPage'),
  page('__debug', 'debug.title', () => import('../features/debug/debug-page.tsx'), 'DebugPage'),
  page(
    'errorPrint/v3',
    'shell.signedLink.errorPrint.title',
    () => import('../features/error-print/error-print-page.tsx'),
    'ErrorPrintPage',
  ),
  page(
    'errorPrint/v3/topic',
    'shell.signedLink.topicPrint.title',
    () => import('../features/error-print/topic-print-page.tsx'),
    'TopicPrintPage',
  ),
  page(
    'pdf/mp/composition',
    'shell.signedLink.composition.title',
    () => import('../features/composition-review/composition-print-page.tsx'),
    'CompositionPrintPage',
  ),
  page('403', 'shell.page.forbidden.title', () => import('../ui/status-pages.tsx'), 'ForbiddenPage'),
  page('500', 'shell.page.broken.title', () => import('../ui/status-pages.tsx'), 'BrokenPage'),
  page('*', 'shell.page.missing.title', () => import('../ui/status-pages.tsx'), 'MissingPage'),
]

const signedInPages: RouteObject[] = [
  page('home', 'shell.home.title', () => import('../features/home/home-page.tsx'), 'HomePage'),
  page(
    'register/result',
    'auth.registerResult.title',
    () => import('../features/auth/register-result-page.tsx'),
    'RegisterResultPage',
  ),
]

export const routes: RouteObject[] = [
  {
    Component: Root,
    ErrorBoundary: RouteFailure,
    HydrateFallback: StartingScreen,
    children: [
      { index: true, loader: toHome },
      { path: 'index', loader: toHome },
      ...publicPages,
      {
        middleware: [requireSession],
        lazy: { Component: async () => (await loadChunk(() => import('../shell/shell.tsx'))).Shell },
        children: [{ ErrorBoundary: RouteFailure, children: signedInPages }],
      },
    ],
  },
]
