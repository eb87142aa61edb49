import type { Wharf } from '@wharf/sdk'
import { command } from '../command.ts'
import type { NamedKind } from '../names/record-kinds.ts'
import { type FoundRecord, resolveRecord } from '../names/resolve-record.ts'
import { resolveRelease } from './release/resolve-release.ts'

interface RecordPage {
  readonly kind: NamedKind
  readonly path: string
  /** Of a record without a page of its own: what follows the path instead of its uuid. */
  readonly placeOf?: (record: FoundRecord) => string
}

const filterBy =
  (field: string) =>
  (record: FoundRecord): string =>
    `?${new URLSearchParams({ q: `${field}=${record[field]}` })}`

/** The pages of the console that show records. */
const pages = {
  package: { kind: 'softwarePackages', path: 'packages' },
  release: { kind: 'releases', path: 'releases' },
  rollout: { kind: 'rollouts', path: 'rollouts' },
  window: { kind: 'maintenanceWindows', path: 'rollouts/windows', placeOf: filterBy('name') },
  host: { kind: 'hosts', path: 'hosts' },
  storage: { kind: 'backupStorage', path: 'backup-storage' },
  cluster: { kind: 'clusterPlugins', path: 'clusters' },
  alert: { kind: 'alerts', path: 'alerts' },
  platform: { kind: 'alertPlatforms', path: 'alerts/platforms' },
  endpoint: { kind: 'chatEndpoints', path: 'chat' },
  delivery: { kind: 'deliveries', path: 'chat/deliveries' },
  job: { kind: 'jobs', path: 'jobs' },
  account: { kind: 'accounts', path: 'accounts' },
  user: { kind: 'users', path: 'accounts', placeOf: ({ accountUuid }) => `/${accountUuid}` },
  key: { kind: 'accessKeys', path: 'access-keys', placeOf: filterBy('AccessKeyID') },
} as const satisfies Record<string, RecordPage>

export const recordPages: Readonly<Record<string, RecordPage>> = pages

export const open = command({
  name: 'open',
  summary: 'Open the console page of a record in the browser',
  more: 'Prints the address. Opens a browser only on a terminal, and not with --print.',
  arguments: {
    '[kind]': { help: 'kind of record', choices: Object.keys(pages) },
    '[name]': { help: 'name or uuid, of a release also NAME@VERSION; without it, the list of these records' },
  },
  options: { '--print': { help: 'only print the address' } },
  examples: [
    'open',
    'open host',
    'open host web-1',
    'open release hello@1.1.0',
    'open job 3c6a7a0b0f6f4f0e9a4c2f9d1b7e5a61 --print',
  ],
  async run(cli, { kind, name }, { print }) {
    const page = kind === undefined ? undefined : recordPages[kind]
    // without a name no credential is needed
    const wharf = name === undefined ? await cli.connect(cli.connection.url) : await cli.wharf()
    const place = page && name !== undefined ? await placeIn(wharf, page, name) : ''
    const url = `${wharf.url}/${page === undefined ? '' : `#/${page.path}${place}`}`
    cli.out.text(url, { url })
    if (print || !cli.io.stdout.isTTY) return
    if (!(await cli.io.openUrl(url))) cli.info('No browser is available here; open the address elsewhere.')
  },
})

async function placeIn(wharf: Wharf, { kind, placeOf }: RecordPage, name: string): Promise<string> {
  const record = await (kind === 'releases' ? resolveRelease(wharf, name) : resolveRecord(wharf, kind, name))
  return placeOf?.(record) ?? `/${record.uuid}`
}
