import { command } from '../../command.ts'
import { resolveRecord } from '../../names/resolve-record.ts'
import { watchOptions, watchRollout } from './watch-rollout.ts'

export const watch = command({
  name: 'watch',
  aliases: ['status'],
  summary: 'Show a rollout live until it has ended',
  more: 'A terminal shows its waves, running hosts and latest failures; a pipe gets a line per change. The exit code is 0 only if it succeeded. Ctrl-C stops watching only.',
  arguments: { '<rollout>': { help: 'name or uuid', names: 'rollouts' } },
  options: watchOptions,
  examples: ['rollout watch web-1.1', 'rollout watch web-1.1 --exit-on-pause', 'rollout watch web-1.1 -o ndjson'],
  async run(cli, { rollout: nameOrUuid }, flags) {
    const { uuid, name } = await resolveRecord(await cli.wharf(), 'rollouts', nameOrUuid)
    await watchRollout(cli, { uuid, name }, flags)
  },
})
