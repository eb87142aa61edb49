import type { Wharf } from '@wharf/sdk'
import { command, type GroupSpec } from '../command.ts'
import { deletedResult } from '../delete-command.ts'
import { forEachName } from '../for-each-name.ts'
import { listCommand } from '../list-command.ts'
import { type FoundRecord, recordsOf } from '../names/resolve-record.ts'
import type { Row } from '../output/output.ts'
import { printRecord } from '../print-record.ts'
import { deleteVerbs } from '../verbs.ts'
import { publish } from './release/publish.ts'
import { resolveRelease } from './release/resolve-release.ts'

const maxHosts = 100
const reference = { help: 'NAME@VERSION, NAME for the latest, or uuid', names: 'releases' } as const
const references = { help: 'NAME@VERSION or uuid', names: 'releases' } as const

const show = command({
  name: 'show',
  summary: 'Show a release, and the hosts that have it installed',
  arguments: { '<release>': reference },
  examples: ['release show hello', 'release show hello@1.1.0 -o yaml'],
  async run(cli, { release: name }) {
    const wharf = await cli.wharf()
    const release = await resolveRelease(wharf, name)
    await printRecord(cli, release, { describe: async () => ({ installedOn: await hostsWith(wharf, release) }) })
  },
})

/** By name, then by version, the greatest first; versions that cannot be compared keep their order. */
async function byNameAndVersion() {
  const { compareVersions } = await import('@wharf/contract')
  const textOf = (value: unknown): string => String(value ?? '')
  return (a: Row, b: Row): number => {
    const [one, other] = [textOf(a.name), textOf(b.name)]
    return one === other ? (compareVersions(textOf(b.version), textOf(a.version)) ?? 0) : one < other ? -1 : 1
  }
}

async function hostsWith(wharf: Wharf, { uuid }: FoundRecord): Promise<string> {
  const q = [`releaseUuid=${uuid}`, 'status?=Installed,Initialized']
  const packages = await recordsOf(wharf, 'softwarePackages', { q, limit: maxHosts + 1 })
  const hosts = packages.flatMap(({ hostUuid }) => (typeof hostUuid === 'string' ? [hostUuid] : []))
  if (hosts.length === 0) return 'no host'
  const named = await recordsOf(wharf, 'hosts', { q: [`uuid?=${hosts.slice(0, maxHosts).join(',')}`], sort: '+name' })
  return named.map(({ name }) => String(name)).join(', ') + (hosts.length > maxHosts ? ', …' : '')
}

const retire = command({
  name: 'retire',
  summary: 'Retire releases: they are not sent to further hosts, but hosts can be rolled back to them',
  arguments: { '<release...>': references },
  examples: ['release retire hello@1.0.0'],
  async run(cli, { release: names }) {
    const wharf = await cli.wharf()
    await forEachName(cli, names, {
      find: (name) => resolveRelease(wharf, name, { acceptsLatest: false }),
      async act({ uuid, name, version }) {
        const { inventory } = await wharf.releases.retire(uuid)
        return { message: `Retired ${name}@${version}.`, data: inventory }
      },
    })
  },
})

const deleteRelease = command({
  ...deleteVerbs('delete'),
  summary: 'Delete releases that no host has installed; their packages stay on backup storage',
  arguments: { '<release...>': references },
  examples: ['release delete hello@1.0.0'],
  async run(cli, { release: names }) {
    const wharf = await cli.wharf()
    await forEachName(cli, names, {
      find: (name) => resolveRelease(wharf, name, { acceptsLatest: false }),
      async act({ uuid, name, version }) {
        await wharf.releases.delete(uuid, {})
        return deletedResult(uuid, `${name}@${version}`)
      },
    })
  },
})

export const release: GroupSpec = {
  name: 'release',
  summary: 'Manage releases: publish, retire, delete',
  commands: [
    publish,
    listCommand('releases', {
      path: 'release',
      plural: 'releases',
      columns: ['name', 'version', 'type', 'state', 'size', 'createDate', 'uuid'],
      wide: ['sha256', 'backupStorage', 'softwarePackage', 'description'],
      order: byNameAndVersion,
      example: '--query name=hello',
    }),
    show,
    retire,
    deleteRelease,
  ],
}
