import type { ComponentType } from 'react'
import { fetchedPage } from './fetched-page.ts'
import type { PageProps } from './page-props.ts'

/** Each page is fetched when it is first opened. To add one, add its line here, in `sections` and in the words. */
export const pages = {
  overview: fetchedPage(() => import('../pages/overview/Overview.tsx')),
  packages: fetchedPage(() => import('../pages/packages/Packages.tsx')),
  migration: fetchedPage(() => import('../pages/migration/Migration.tsx')),
  hosts: fetchedPage(() => import('../pages/hosts/Hosts.tsx')),
  'backup-storage': fetchedPage(() => import('../pages/backup-storage/BackupStorage.tsx')),
  clusters: fetchedPage(() => import('../pages/clusters/Clusters.tsx')),
  alerts: fetchedPage(() => import('../pages/alerts/Alerts.tsx')),
  chat: fetchedPage(() => import('../pages/chat/Chat.tsx')),
  explain: fetchedPage(() => import('../pages/explain/Explain.tsx')),
  jobs: fetchedPage(() => import('../pages/jobs/Jobs.tsx')),
  'access-keys': fetchedPage(() => import('../pages/access-keys/AccessKeys.tsx')),
  accounts: fetchedPage(() => import('../pages/accounts/Accounts.tsx')),
} satisfies Record<string, ComponentType<PageProps>>

export type PageName = keyof typeof pages

/** The order of the navigation. */
export const sections = [
  { name: 'software', pages: ['packages', 'migration'] },
  { name: 'infrastructure', pages: ['hosts', 'backup-storage', 'clusters'] },
  { name: 'messages', pages: ['alerts', 'chat', 'explain'] },
  { name: 'administration', pages: ['jobs', 'access-keys', 'accounts'] },
] as const satisfies readonly { name: string; pages: readonly PageName[] }[]
