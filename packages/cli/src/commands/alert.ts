import { command, type GroupSpec } from '../command.ts'
import { listOptions, listRecords } from '../list-command.ts'
import { platform } from './alert/platform.ts'

const list = command({
  name: 'list',
  summary: 'List alerts of all platforms, newest first',
  options: listOptions,
  examples: ['alert list', 'alert list --query status=firing'],
  run: (cli, _, flags) =>
    listRecords(
      cli,
      'alerts',
      { sort: '-startsAt', ...flags },
      ['name', 'status', 'severity', 'startsAt', 'endsAt', 'platformUuid', 'uuid'],
      'No alerts.',
    ),
})

export const alert: GroupSpec = {
  name: 'alert',
  summary: 'Manage alerts and alert platforms',
  commands: [list, platform],
}
