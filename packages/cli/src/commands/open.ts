import { command } from '../command.ts'
import type { NamedKind } from '../names/record-kinds.ts'
import { resolveUuid } from '../names/resolve-record.ts'

/** The pages of the console with a page per record. */
const pages = {
  package: { kind: 'softwarePackages', path: 'packages' },
  host: { kind: 'hosts', path: 'hosts' },
  storage: { kind: 'backupStorage', path: 'backup-storage' },
  cluster: { kind: 'clusterPlugins', path: 'clusters' },
  alert: { kind: 'alerts', path: 'alerts' },
  platform: { kind: 'alertPlatforms', path: 'alerts/platforms' },
  endpoint: { kind: 'chatEndpoints', path: 'chat' },
  delivery: { kind: 'deliveries', path: 'chat/deliveries' },
  job: { kind: 'jobs', path: 'jobs' },
  account: { kind: 'accounts', path: 'accounts' },
} as const satisfies Record<string, { kind: NamedKind; path: string }>

export const recordPages: Readonly<Record<string, { readonly kind: NamedKind; readonly path: string }>> = pages

export const open = command({
  name: 'open',
  summary: 'Open the console page of a record in the browser',
  more: 'Prints the address. Opens a browser only on a terminal, and not with --print.',
  arguments: {
    '[kind]': { help: 'kind of record', choices: Object.keys(pages) },
    '[name]': { help: 'name or uuid; without it, the list of these records' },
  },
  options: { '--print': { help: 'only print the address' } },
  examples: ['open', 'open host', 'open host web-1', 'open job 3c6a7a0b0f6f4f0e9a4c2f9d1b7e5a61 --print'],
  async run(cli, { kind, name }, { print }) {
    const page = kind === undefined ? undefined : recordPages[kind]
    // without a name no credential is needed
    const wharf = name === undefined ? await cli.connect(cli.connection.url) : await cli.wharf()
    const uuid = page && name !== undefined ? `/${await resolveUuid(wharf, page.kind, name)}` : ''
    const url = `${wharf.url}/${page === undefined ? '' : `#/${page.path}${uuid}`}`
    cli.out.text(url, { url })
    if (print || !cli.io.stdout.isTTY) return
    if (!(await cli.io.openUrl(url))) cli.info('No browser is available here; open the address elsewhere.')
  },
})
