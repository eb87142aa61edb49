import { type ComponentType, lazy } from 'react'

/** What a page is told: the part of the path behind its name, and what stands behind the question mark. */
export interface PageProps {
  readonly path: readonly string[]
  readonly search: URLSearchParams
}

/** Each page is fetched when it is first opened. To add one, add its line here, in `sections` and in the words. */
export const pages = {
  overview: lazy(() => import('../pages/overview/Overview.tsx')),
  packages: lazy(() => import('../pages/packages/Packages.tsx')),
  migration: lazy(() => import('../pages/migration/Migration.tsx')),
  hosts: lazy(() => import('../pages/hosts/Hosts.tsx')),
  'backup-storage': lazy(() => import('../pages/backup-storage/BackupStorage.tsx')),
  clusters: lazy(() => import('../pages/clusters/Clusters.tsx')),
  alerts: lazy(() => import('../pages/alerts/Alerts.tsx')),
  chat: lazy(() => import('../pages/chat/Chat.tsx')),
  explain: lazy(() => import('../pages/explain/Explain.tsx')),
  jobs: lazy(() => import('../pages/jobs/Jobs.tsx')),
  'access-keys': lazy(() => import('../pages/access-keys/AccessKeys.tsx')),
  accounts: lazy(() => import('../pages/accounts/Accounts.tsx')),
} satisfies Record<string, ComponentType<PageProps>>

export type PageName = keyof typeof pages

/** The order of the navigation. */
export const sections = [
  { name: 'software', pages: ['packages', 'migration'] },
  { name: 'infrastructure', pages: ['hosts', 'backup-storage', 'clusters'] },
  { name: 'messages', pages: ['alerts', 'chat', 'explain'] },
  { name: 'administration', pages: ['jobs', 'access-keys', 'accounts'] },
] as const satisfies readonly { name: string; pages: readonly PageName[] }[]
