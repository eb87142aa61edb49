import { command, type GroupSpec } from '../../command.ts'
import { deleteCommand } from '../../deleting.ts'
import { listCommand } from '../../listing.ts'
import { resolveUuid } from '../../names/resolve.ts'

const add = command({
  name: 'add',
  summary: 'Let a chat endpoint mention a person',
  arguments: {
    '<endpoint>': { help: 'its name or uuid', names: 'chatEndpoints' },
    '<user-id>': { help: 'as the chat application knows the person' },
  },
  options: { '--remark <text>': { help: 'who it is' } },
  examples: ['chat mention add ops 13800000000 --remark "on call"'],
  async run(cli, { endpoint, userId }, { remark }) {
    const wharf = await cli.wharf()
    const endpointUuid = await resolveUuid(wharf, 'chatEndpoints', endpoint)
    cli.out.record((await wharf.atPersons.add({ endpointUuid, userId, remark })).inventory)
  },
})

export const mention: GroupSpec = {
  name: 'mention',
  summary: 'Persons that are mentioned in a chat',
  commands: [
    listCommand('atPersons', {
      path: 'chat mention',
      plural: 'persons to mention',
      columns: ['userId', 'remark', 'endpointUuid', 'uuid'],
    }),
    add,
    deleteCommand('atPersons', 'chat mention', { summary: 'Mention a person no more', example: '13800000000' }),
  ],
}
