import type { PageName } from './pages.ts'

/** The category of the error catalogue that each page needs most. */
export const helpCategories: Readonly<Record<PageName, string>> = {
  overview: 'SYS',
  packages: 'SoftwarePackage',
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
}
