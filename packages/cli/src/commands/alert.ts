import { command, type GroupSpec } from '../command.ts'
import { listOptions, listRecords } from '../listing.ts'
import { platform } from './alert/platform.ts'

const list = command({
  name: 'list',
  summary: 'List alerts of every platform, newest first',
  options: listOptions,
  examples: ['alert list', 'alert list --query status=firing'],
  run: (cli, _, choice) =>
    listRecords(
      cli,
      'alerts',
      { sort: '-startsAt', ...choice },
      ['name', 'status', 'severity', 'startsAt', 'endsAt', 'platformUuid', 'uuid'],
      'There are no alerts.',
    ),
})

export const alert: GroupSpec = {
  name: 'alert',
  summary: 'Alerts, and the platforms that send them',
  commands: [list, platform],
}
