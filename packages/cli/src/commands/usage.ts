import { command } from '../command.ts'
import { resolveUuid } from '../names/resolve.ts'
import { onlyNode } from '../nodes.ts'
import { bytes } from '../output/quantities.ts'

export const usage = command({
  name: 'usage',
  summary: 'Tell how much room a folder of a management node has',
  arguments: { '<folder>': { help: 'absolute; its nearest existing parent counts when it does not exist' } },
  options: { '--node <name>': { help: 'which node, where there are several', names: 'managementNodes' } },
  examples: ['usage /var/lib', 'usage /srv --node wharf-2 --json'],
  async run(cli, { folder }, { node }) {
    const wharf = await cli.wharf()
    const managementNodeUuid =
      node === undefined ? await onlyNode(wharf) : await resolveUuid(wharf, 'managementNodes', node)
    const answer = await wharf.softwarePackages.directoryUsage({ managementNodeUuid, directoryPath: folder })
    const { totalCapacity, availableCapacity } = answer
    cli.out.text(`${bytes(availableCapacity)} of ${bytes(totalCapacity)} are free`, answer)
  },
})
