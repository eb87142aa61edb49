import type { DocumentName } from '../pages/documents/messages.ts'
import type { PageName } from './pages.ts'

/** A document, and one of its headings. */
type DocumentPlace = readonly [name: DocumentName, heading?: string]

/** What to read about each page, the most specific first. */
export const helpDocuments: Readonly<Record<PageName, readonly DocumentPlace[]>> = {
  overview: [['console'], ['operating', 'Monitoring']],
  packages: [['console', 'Packages'], ['package-format']],
  releases: [['console', 'Releases'], ['releases'], ['package-format']],
  rollouts: [['console', 'Rollouts'], ['rollouts']],
  migration: [['console', 'Migration'], ['migration']],
  hosts: [['console', 'Hosts'], ['operating', 'What a host needs'], ['candidate-hosts']],
  'backup-storage': [
    ['console', 'Backup storage'],
    ['scaling', 'Shared storage: S3 or SFTP'],
  ],
  clusters: [
    ['console', 'Clusters'],
    ['package-format', 'Clusters'],
  ],
  alerts: [
    ['console', 'Alerts and chat'],
    ['alerts-and-chat', 'Sending alerts'],
  ],
  chat: [
    ['alerts-and-chat', 'Chat endpoints'],
    ['alerts-and-chat', 'Deliveries'],
  ],
  explain: [['elaborations', 'Looking up']],
  jobs: [
    ['console', 'Jobs, keys, accounts'],
    ['writing-a-client', 'Long operations'],
  ],
  'access-keys': [
    ['console', 'Jobs, keys, accounts'],
    ['writing-a-client', 'Signing in'],
  ],
  accounts: [['console', 'Jobs, keys, accounts'], ['access'], ['operating', 'A lost password']],
  audit: [['console', 'Audit trail'], ['audit']],
  account: [
    ['console', 'Jobs, keys, accounts'],
    ['identity', 'Second factor and passwords'],
    ['identity', 'Sessions'],
  ],
  documents: [['console']],
}
