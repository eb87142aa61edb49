import { command } from '../command.ts'
import { resolveUuid } from '../names/resolve-record.ts'
import { onlyNode } from '../only-node.ts'
import { formatBytes } from '../output/format-quantities.ts'

export const usage = command({
  name: 'usage',
  summary: 'Show the free space of a folder on a management node',
  arguments: { '<folder>': { help: 'absolute path; if it does not exist, its nearest existing parent is used' } },
  options: { '--node <name>': { help: 'management node; required if there are several', names: 'managementNodes' } },
  examples: ['usage /var/lib', 'usage /srv --node wharf-2 --json'],
  async run(cli, { folder }, { node }) {
    const wharf = await cli.wharf()
    const managementNodeUuid =
      node === undefined
        ? await onlyNode(wharf, 'select one with --node NAME')
        : await resolveUuid(wharf, 'managementNodes', node)
    const answer = await wharf.softwarePackages.directoryUsage({ managementNodeUuid, directoryPath: folder })
    const { totalCapacity, availableCapacity } = answer
    cli.out.text(`${formatBytes(availableCapacity)} of ${formatBytes(totalCapacity)} free`, answer)
  },
})
