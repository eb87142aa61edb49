import { command, type GroupSpec } from '../command.ts'
import { forEachName } from '../for-each-name.ts'
import { listCommand } from '../list-command.ts'
import { resolveRecord } from '../names/resolve-record.ts'
import { showCommand } from '../show-command.ts'

const example = '5b0e8b1c2d3f4a5b8c9d0e1f2a3b4c5d'

const resend = command({
  name: 'resend',
  summary: 'Send a failed message again',
  arguments: { '<delivery...>': { help: 'delivery uuids', names: 'deliveries' } },
  examples: [`delivery resend ${example}`],
  async run(cli, { delivery: uuids }) {
    const wharf = await cli.wharf()
    await forEachName(cli, uuids, {
      find: (uuid) => resolveRecord(wharf, 'deliveries', uuid),
      async act({ uuid, title }) {
        const { inventory } = await wharf.deliveries.resend(uuid)
        return { message: `Sending again: ${title}.`, data: inventory }
      },
    })
  },
})

export const delivery: GroupSpec = {
  name: 'delivery',
  summary: 'Show messages to chat endpoints, and send failed ones again',
  commands: [
    listCommand('deliveries', {
      path: 'delivery',
      plural: 'deliveries',
      sort: '-createDate',
      defaultLimit: 20,
      columns: ['title', 'endpoint', 'status', 'attempts', 'reason', 'createDate', 'uuid'],
      wide: ['ownEvent', 'alert', 'nextAttemptDate', 'deliveredDate'],
      example: '--query status=Failed',
    }),
    showCommand('deliveries', { path: 'delivery', example }),
    resend,
  ],
}
