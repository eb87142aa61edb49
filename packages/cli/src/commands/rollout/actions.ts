import type { RolloutInventory, Wharf } from '@wharf/sdk'
import type { Cli } from '../../cli.ts'
import { type CommandSpec, command } from '../../command.ts'
import { UsageError } from '../../errors.ts'
import { forEachName } from '../../for-each-name.ts'
import { resolveRecord } from '../../names/resolve-record.ts'
import { describeState, nextStep } from './snapshot.ts'
import { watchOptions, watchRollout } from './watch-rollout.ts'

const named = { '<rollout...>': { help: 'names or uuids', names: 'rollouts' } } as const

type Acted = Promise<{ inventory: RolloutInventory }>

const resultOf = async (acted: Acted) => {
  const { inventory } = await acted
  const next = nextStep(inventory)
  const message = `${inventory.name} is ${describeState(inventory)}.${next === undefined ? '' : `\n  ${next}`}`
  return { message, data: inventory }
}

type PlainAction = 'approve' | 'deny' | 'pause' | 'promote' | 'retry'

/** An action without fields. */
const action = (name: PlainAction, summary: string): CommandSpec =>
  command({
    name,
    summary,
    arguments: named,
    examples: [`rollout ${name} web-1.1`],
    async run(cli, { rollout: names }) {
      const wharf = await cli.wharf()
      await forEachName(cli, names, {
        find: (one) => resolveRecord(wharf, 'rollouts', one),
        act: ({ uuid }) => resultOf(wharf.rollouts[name](uuid)),
      })
    },
  })

const resume = command({
  name: 'resume',
  summary: 'Resume a paused rollout; failures and alerts so far are accepted',
  arguments: named,
  options: { '--ignore-window': { help: 'from now on work outside its window too; requires the role admin' } },
  examples: ['rollout resume web-1.1', 'rollout resume web-1.1 --ignore-window'],
  async run(cli, { rollout: names }, { ignoreWindow }) {
    const wharf = await cli.wharf()
    await forEachName(cli, names, {
      find: (name) => resolveRecord(wharf, 'rollouts', name),
      act: ({ uuid }) => resultOf(wharf.rollouts.resume(uuid, { ignoreWindow })),
    })
  },
})

const waitOptions = (expected: string) => ({
  '--wait': { help: `watch it until it is ${expected}` },
  '--timeout <seconds>': watchOptions['--timeout <seconds>'],
})

/** Runs an action that ends rollouts in this state, and with --wait watches them. */
async function endRollouts(
  cli: Cli,
  names: readonly string[],
  { expected, wait, timeout }: { expected: RolloutInventory['state']; wait?: boolean; timeout?: string },
  act: (wharf: Wharf, uuid: string) => Acted,
): Promise<void> {
  if (timeout !== undefined && !wait) throw new UsageError('--timeout needs --wait')
  const wharf = await cli.wharf()
  await forEachName(cli, names, {
    find: (name) => resolveRecord(wharf, 'rollouts', name),
    async act({ uuid, name }) {
      const acted = act(wharf, uuid)
      if (!wait) return resultOf(acted)
      await acted
      await watchRollout(cli, { uuid, name }, { expected, ...(timeout === undefined ? {} : { timeout }) })
      return undefined
    },
  })
}

const stop = command({
  name: 'stop',
  summary: 'Stop a rollout: pending hosts are skipped, running ones finish',
  arguments: named,
  options: { '--cancel': { help: 'cancel and undo running hosts' }, ...waitOptions('Stopped') },
  examples: ['rollout stop web-1.1', 'rollout stop web-1.1 --cancel --wait'],
  run: (cli, { rollout: names }, { cancel, ...flags }) =>
    endRollouts(cli, names, { expected: 'Stopped', ...flags }, (wharf, uuid) =>
      wharf.rollouts.stop(uuid, { running: cancel ? 'cancel' : 'finish' }),
    ),
})

const undo = command({
  name: 'undo',
  summary: 'Restore what the hosts had before, with their configurations',
  more: 'Only hosts that this rollout changed are touched; those that had nothing installed end with nothing.',
  arguments: named,
  options: { '--wave': { help: 'only the hosts of the current wave' }, ...waitOptions('RolledBack') },
  examples: ['rollout undo web-1.1', 'rollout undo web-1.1 --wave', 'rollout undo web-1.1 --wait'],
  run: (cli, { rollout: names }, { wave, ...flags }) =>
    endRollouts(cli, names, { expected: 'RolledBack', ...flags }, (wharf, uuid) =>
      wharf.rollouts.rollBack(uuid, { scope: wave ? 'wave' : 'all' }),
    ),
})

export const rolloutActions: readonly CommandSpec[] = [
  action('approve', 'Approve a rollout that another user has created'),
  action('deny', 'Deny a rollout that awaits approval; it ends'),
  action('pause', 'Pause a rollout: no further host is started, running ones finish'),
  resume,
  action('promote', 'Start the next wave of a rollout with manual promotion'),
  action('retry', 'Try the failed hosts again, and only those'),
  stop,
  undo,
]
