import type { ComponentType } from 'react'
import type { Route } from '../browser/route.ts'
import { lazyPage } from './lazy-page.ts'

/** Each page is loaded when it is first opened. To add a page, add a line here, in `sections` and in the messages. */
export const pages = {
  overview: lazyPage(() => import('../pages/overview/Overview.tsx')),
  packages: lazyPage(() => import('../pages/packages/Packages.tsx')),
  releases: lazyPage(() => import('../pages/releases/Releases.tsx')),
  rollouts: lazyPage(() => import('../pages/rollouts/Rollouts.tsx')),
  migration: lazyPage(() => import('../pages/migration/Migration.tsx')),
  hosts: lazyPage(() => import('../pages/hosts/Hosts.tsx')),
  'backup-storage': lazyPage(() => import('../pages/backup-storage/BackupStorage.tsx')),
  clusters: lazyPage(() => import('../pages/clusters/Clusters.tsx')),
  alerts: lazyPage(() => import('../pages/alerts/Alerts.tsx')),
  chat: lazyPage(() => import('../pages/chat/Chat.tsx')),
  explain: lazyPage(() => import('../pages/explain/Explain.tsx')),
  jobs: lazyPage(() => import('../pages/jobs/Jobs.tsx')),
  'access-keys': lazyPage(() => import('../pages/access-keys/AccessKeys.tsx')),
  accounts: lazyPage(() => import('../pages/accounts/Accounts.tsx')),
  audit: lazyPage(() => import('../pages/audit/Audit.tsx')),
  account: lazyPage(() => import('../pages/account/Account.tsx')),
  documents: lazyPage(() => import('../pages/documents/Documents.tsx')),
} satisfies Record<string, ComponentType<Route>>

export type PageName = keyof typeof pages

/** The category of the error catalogue that each page needs most. */
export const helpCategories: Readonly<Record<PageName, string>> = {
  overview: 'SYS',
  packages: 'SoftwarePackage',
  releases: 'SoftwarePackage',
  rollouts: 'SoftwarePackage',
  migration: 'MIGRATE',
  hosts: 'HOST',
  'backup-storage': 'BS',
  clusters: 'ClusterPlugin',
  alerts: 'SNS',
  chat: 'SNS',
  explain: 'SYS',
  jobs: 'JOB',
  'access-keys': 'ID',
  accounts: 'ID',
  audit: 'ID',
  account: 'ID',
  documents: 'SYS',
}

export const sections = [
  { name: 'software', pages: ['packages', 'releases', 'rollouts', 'migration'] },
  { name: 'infrastructure', pages: ['hosts', 'backup-storage', 'clusters'] },
  { name: 'alerting', pages: ['alerts', 'chat', 'explain'] },
  { name: 'administration', pages: ['jobs', 'access-keys', 'accounts', 'audit', 'account'] },
] as const satisfies readonly { name: string; pages: readonly PageName[] }[]
