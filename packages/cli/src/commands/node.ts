import { command, type GroupSpec } from '../command.ts'
import { listCommand } from '../list-command.ts'
import { resolveUuid } from '../names/resolve-record.ts'
import { onlyNode } from '../only-node.ts'
import { showCommand } from '../show-command.ts'

const sshKey = command({
  name: 'ssh-key',
  summary: 'Print the public SSH key with which a management node signs in to hosts',
  more: 'Append it to ~/.ssh/authorized_keys of a machine before wharf host add.',
  arguments: { '[name]': { help: 'name or uuid; required if there are several nodes', names: 'managementNodes' } },
  examples: ['node ssh-key', 'node ssh-key | ssh root@10.0.0.11 "cat >> .ssh/authorized_keys"'],
  async run(cli, { name }) {
    const wharf = await cli.wharf()
    const uuid =
      name === undefined ? await onlyNode(wharf, 'pass its name') : await resolveUuid(wharf, 'managementNodes', name)
    const answer = await wharf.managementNodes.sshKey(uuid)
    cli.out.text(answer.publicKey, answer)
  },
})

export const node: GroupSpec = {
  name: 'node',
  summary: 'Show management nodes',
  commands: [
    listCommand('managementNodes', {
      path: 'node',
      plural: 'management nodes',
      columns: ['hostName', 'status', 'version', 'url', 'lastOpDate', 'uuid'],
      wide: ['publicUrl', 'createDate'],
    }),
    showCommand('managementNodes', { path: 'node', example: 'wharf-1' }),
    sshKey,
  ],
}
