import { command, type GroupSpec } from '../command.ts'
import { listOptions, listRecords } from '../list-command.ts'
import { resolveUuid } from '../names/resolve-record.ts'
import { showCommand } from '../show-command.ts'
import { alertActions } from './alert/actions.ts'
import { platform } from './alert/platform.ts'

const list = command({
  name: 'list',
  aliases: ['ls'],
  summary: 'List alerts of all platforms, newest first',
  options: {
    ...listOptions,
    '--platform <name>': { help: 'only alerts of this platform', names: 'alertPlatforms' },
    '--firing': { help: 'only alerts that are firing' },
  },
  examples: ['alert list', 'alert list --firing --watch', 'alert list --platform prod --query severity=critical'],
  async run(cli, _, { platform, firing, query = [], ...flags }) {
    const conditions = [
      ...query,
      ...(firing ? ['status=firing'] : []),
      ...(platform === undefined
        ? []
        : [`platformUuid=${await resolveUuid(await cli.wharf(), 'alertPlatforms', platform)}`]),
    ]
    await listRecords(
      cli,
      'alerts',
      { sort: '-startsAt', ...flags, query: conditions },
      {
        columns: ['name', 'status', 'severity', 'platform', 'startsAt', 'endsAt', 'uuid'],
        wide: ['acknowledgedBy', 'silencedUntil', 'silencedBy', 'fingerprint', 'labels', 'annotations'],
        nameField: 'uuid',
        emptyMessage: 'No alerts.',
      },
    )
  },
})

export const alert: GroupSpec = {
  name: 'alert',
  summary: 'Manage alerts and alert platforms',
  commands: [list, showCommand('alerts', { path: 'alert', example: 'HighLoad' }), ...alertActions, platform],
}
