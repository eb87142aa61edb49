import { command, type GroupSpec } from '../../command.ts'
import { deleteCommand } from '../../delete-command.ts'
import { listCommand } from '../../list-command.ts'
import { resolveUuid } from '../../names/resolve-record.ts'
import { printRecord } from '../../print-record.ts'
import { createVerbs } from '../../verbs.ts'

const create = command({
  ...createVerbs('create'),
  summary: 'Mention a person in the messages of a chat endpoint',
  arguments: {
    '<endpoint>': { help: 'name or uuid of the endpoint', names: 'chatEndpoints' },
    '<user-id>': { help: 'id of the person in the chat application' },
  },
  options: { '--remark <text>': { help: 'remark, such as the name' } },
  examples: ['chat mention create ops 13800000000 --remark "on call"'],
  async run(cli, { endpoint, userId }, { remark }) {
    const wharf = await cli.wharf()
    const endpointUuid = await resolveUuid(wharf, 'chatEndpoints', endpoint)
    await printRecord(cli, (await wharf.atPersons.add({ endpointUuid, userId, remark })).inventory)
  },
})

export const mention: GroupSpec = {
  name: 'mention',
  summary: 'Manage mentions in chat messages',
  commands: [
    listCommand('atPersons', {
      path: 'chat mention',
      plural: 'persons to mention',
      columns: ['userId', 'remark', 'endpoint', 'uuid'],
      wide: ['createDate'],
    }),
    create,
    deleteCommand('atPersons', {
      path: 'chat mention',
      summary: 'Stop mentioning a person',
      examples: ['13800000000', '13900000000'],
    }),
  ],
}
