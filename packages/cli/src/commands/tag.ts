import { command, type GroupSpec } from '../command.ts'
import { deleteCommand } from '../delete-command.ts'
import { listCommand, listOptions, listRecords } from '../list-command.ts'
import { resolveUuid } from '../names/resolve-record.ts'
import { showCommand } from '../show-command.ts'
import { createVerbs } from '../verbs.ts'

const create = command({
  ...createVerbs('create'),
  summary: 'Create a tag, which wharf call attaches to new records with tagUuids',
  arguments: { '<name>': { help: 'name of the tag' } },
  options: { '--color <color>': { help: 'colour name, or #rrggbb' } },
  examples: ['tag create production', 'tag create production --color #2563eb'],
  async run(cli, { name }, { color }) {
    cli.out.record((await (await cli.wharf()).tags.create({ name, color })).inventory)
  },
})

const uses = command({
  name: 'uses',
  summary: 'List the records with a tag',
  arguments: { '<name>': { help: 'name or uuid', names: 'tags' } },
  options: listOptions,
  examples: ['tag uses production'],
  async run(cli, { name }, { query = [], ...flags }) {
    const tagUuid = await resolveUuid(await cli.wharf(), 'tags', name)
    await listRecords(
      cli,
      'userTags',
      { sort: '+resourceType', ...flags, query: [...query, `tagUuid=${tagUuid}`] },
      {
        columns: ['resourceType', 'resourceUuid', 'createDate'],
        nameField: 'resourceUuid',
        emptyMessage: `No record has the tag ${name}.`,
      },
    )
  },
})

export const tag: GroupSpec = {
  name: 'tag',
  summary: 'Manage tags',
  commands: [
    listCommand('tags', { path: 'tag', plural: 'tags', columns: ['name', 'color', 'createDate', 'uuid'] }),
    showCommand('tags', { path: 'tag', example: 'production' }),
    create,
    uses,
    deleteCommand('tags', {
      path: 'tag',
      summary: 'Delete a tag and detach it from every record',
      examples: ['production', 'staging'],
    }),
  ],
}
