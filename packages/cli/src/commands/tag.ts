import type { Wharf } from '@wharf/sdk'
import { command, type GroupSpec } from '../command.ts'
import { deleteCommand } from '../delete-command.ts'
import { CommandError } from '../errors.ts'
import { type ListView, listCommand, listOptions, listRecords } from '../list-command.ts'
import { namesOf } from '../names/reference-names.ts'
import { resolveUuid } from '../names/resolve-record.ts'
import { printRecord } from '../print-record.ts'
import { showCommand } from '../show-command.ts'
import { createVerbs } from '../verbs.ts'
import { resolveRelease } from './release/resolve-release.ts'

const create = command({
  ...createVerbs('create'),
  summary: 'Create a tag with a colour, to be attached by its name',
  more: 'Any text can be attached as a tag without being created. A created tag has a colour, and deleting it detaches it from every record.',
  arguments: { '<name>': { help: 'name of the tag' } },
  options: { '--color <color>': { help: 'colour name, or #rrggbb' } },
  examples: ['tag create production', 'tag create production --color #2563eb'],
  async run(cli, { name }, { color }) {
    await printRecord(cli, (await (await cli.wharf()).tags.create({ name, color })).inventory)
  },
})

/** The records that a tag can be attached to by name, and their types. */
const taggable = {
  host: { kind: 'hosts', resourceType: 'Host' },
  storage: { kind: 'backupStorage', resourceType: 'BackupStorage' },
  package: { kind: 'softwarePackages', resourceType: 'SoftwarePackage' },
  release: { kind: 'releases', resourceType: 'Release' },
  cluster: { kind: 'clusterPlugins', resourceType: 'ClusterPlugin' },
  chat: { kind: 'chatEndpoints', resourceType: 'ChatAppEndpoint' },
  alert: { kind: 'alertPlatforms', resourceType: 'ThirdPartyPlatform' },
  account: { kind: 'accounts', resourceType: 'Account' },
  user: { kind: 'users', resourceType: 'User' },
} as const

type Taggable = keyof typeof taggable

const resolveTagged = async (wharf: Wharf, type: Taggable, record: string): Promise<string> =>
  type === 'release' ? (await resolveRelease(wharf, record)).uuid : resolveUuid(wharf, taggable[type].kind, record)

const tagged = {
  '<type>': { help: 'type of the record', choices: Object.keys(taggable) },
  '<record>': { help: 'name or uuid of the record; of a release, name@version too' },
  '<tag...>': { help: 'names of created tags, or any texts', names: 'tags' },
} as const

const attach = command({
  name: 'attach',
  summary: 'Attach tags to a record: created ones by their names, or any texts',
  more: 'These are user tags. System tags, which Wharf sets itself, are listed by wharf call systemTags.query.',
  arguments: tagged,
  examples: ['tag attach host web-1 blue', 'tag attach package exporter reviewed approved'],
  async run(cli, { type, record, tag: tags }) {
    const { resourceType } = taggable[type as Taggable]
    const wharf = await cli.wharf()
    const resourceUuid = await resolveTagged(wharf, type as Taggable, record)
    const attached = []
    for (const tag of tags) attached.push((await wharf.userTags.create({ resourceUuid, resourceType, tag })).inventory)
    cli.report(`Tagged ${record}: ${tags.join(', ')}`, attached)
  },
})

const detach = command({
  name: 'detach',
  summary: 'Remove tags from a record',
  arguments: tagged,
  examples: ['tag detach host web-1 blue'],
  async run(cli, { type, record, tag: tags }) {
    const wharf = await cli.wharf()
    const { resourceType } = taggable[type as Taggable]
    const resourceUuid = await resolveTagged(wharf, type as Taggable, record)
    const q = [`resourceUuid=${resourceUuid}`, `resourceType=${resourceType}`]
    const { inventories = [] } = await wharf.userTags.query({ q })
    const missing = tags.find((tag) => !inventories.some((one) => one.tag === tag))
    if (missing !== undefined) {
      const existing = inventories.map(({ tag }) => tag).join(', ') || 'none'
      throw new CommandError(`${record} does not have the tag ${missing}; its tags: ${existing}`)
    }
    const removed = inventories.filter(({ tag = '' }) => tags.includes(tag))
    for (const { uuid = '' } of removed) await wharf.userTags.delete(uuid)
    cli.report(`Removed from ${record}: ${tags.join(', ')}`, removed)
  },
})

/** The names of tagged records; one without a name is shown by its uuid. */
const resourceNames: ListView['compute'] = async (wharf, records) => {
  const named = await Promise.all(
    Object.values(taggable).map(({ kind, resourceType }) => {
      const uuids = records.filter((one) => one.resourceType === resourceType).map((one) => String(one.resourceUuid))
      return namesOf(wharf, kind, uuids)
    }),
  )
  const names = new Map(named.flatMap((one) => [...one]))
  return ({ resourceUuid }) => ({ name: names.get(String(resourceUuid)) ?? resourceUuid })
}

const uses = command({
  name: 'uses',
  summary: 'List the records with a tag',
  arguments: { '<tag>': { help: 'name of a created tag, or the text of any other', names: 'tags' } },
  options: listOptions,
  examples: ['tag uses production'],
  async run(cli, { tag: name }, { query = [], ...flags }) {
    await listRecords(
      cli,
      'userTags',
      { sort: '+resourceType', ...flags, query: [...query, `tag=${name}`] },
      {
        columns: ['resourceType', 'name', 'createDate', 'resourceUuid'],
        compute: resourceNames,
        nameField: 'resourceUuid',
        emptyMessage: `No record has the tag ${name}.`,
      },
    )
  },
})

export const tag: GroupSpec = {
  name: 'tag',
  summary: 'Manage user tags: create, attach, detach',
  commands: [
    listCommand('tags', { path: 'tag', plural: 'created tags', columns: ['name', 'color', 'createDate', 'uuid'] }),
    showCommand('tags', { path: 'tag', example: 'production' }),
    create,
    attach,
    detach,
    uses,
    deleteCommand('tags', {
      path: 'tag',
      summary: 'Delete a created tag and detach it from every record',
      examples: ['production', 'staging'],
    }),
  ],
}
