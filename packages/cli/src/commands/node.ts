import type { GroupSpec } from '../command.ts'
import { listCommand } from '../list-command.ts'
import { showCommand } from '../show-command.ts'

export const node: GroupSpec = {
  name: 'node',
  summary: 'Show management nodes',
  commands: [
    listCommand('managementNodes', {
      path: 'node',
      plural: 'management nodes',
      columns: ['hostName', 'status', 'version', 'url', 'lastOpDate', 'uuid'],
      wide: ['createDate'],
    }),
    showCommand('managementNodes', { path: 'node', example: 'wharf-1' }),
  ],
}
