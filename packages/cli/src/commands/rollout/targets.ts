import { command } from '../../command.ts'
import { resolveUuid } from '../../names/resolve-record.ts'
import { onOneLine, stateSets } from './snapshot.ts'

export const targets = command({
  name: 'targets',
  summary: 'List the hosts of a rollout with their states and errors',
  arguments: { '<rollout>': { help: 'name or uuid', names: 'rollouts' } },
  options: {
    '--failed': { help: 'only hosts that failed' },
    '--query <condition>': { help: 'filter, such as state=Pending; repeatable (docs/query.md)', repeated: true },
  },
  examples: ['rollout targets web-1.1', 'rollout targets web-1.1 --failed', 'rollout targets web-1.1 --query wave=2'],
  async run(cli, { rollout }, { failed, query = [] }) {
    const wharf = await cli.wharf()
    const uuid = await resolveUuid(wharf, 'rollouts', rollout)
    const q = failed ? [...query, `state?=${stateSets.failed.join(',')}`] : query
    const shown = await Array.fromAsync(wharf.rolloutTargets.all(uuid, { q }))
    shown.sort((a, b) => a.wave - b.wave || a.hostName.localeCompare(b.hostName))
    const rows = shown.map(({ hostName, fromVersion, toVersion, jobUuid, error, ...target }) => ({
      ...target,
      host: hostName,
      from: fromVersion,
      to: toVersion,
      job: jobUuid,
      error: error === null ? null : onOneLine(error),
    }))
    cli.out.list(cli.out.isTable ? rows : shown, {
      columns: ['host', 'wave', 'state', 'action', 'from', 'to', 'error'],
      wide: ['attempts', 'job', 'startDate', 'endDate', 'uuid'],
      nameField: 'hostName',
    })
    if (shown.length === 0) cli.info('No hosts.')
  },
})
