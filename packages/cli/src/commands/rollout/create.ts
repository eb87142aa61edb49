import { command } from '../../command.ts'
import { UsageError } from '../../errors.ts'
import { createVerbs } from '../../verbs.ts'
import { rolloutFields, rolloutOptions } from './create-fields.ts'
import { printPlan } from './plan.ts'
import { nextStep } from './snapshot.ts'
import { watchOptions, watchRollout } from './watch-rollout.ts'

export const create = command({
  ...createVerbs('create'),
  summary: 'Roll a release out to hosts in waves, or with --dry-run show the plan',
  more: 'With --wait it behaves like rollout watch: the exit code is 0 only if the rollout succeeded.',
  arguments: { '<name>': { help: 'name of the rollout' } },
  options: {
    ...rolloutOptions,
    '--dry-run': { help: 'print the plan and change nothing' },
    '--wait': { help: 'watch it until it has ended' },
    ...watchOptions,
  },
  examples: [
    "rollout create web-1.1 --release hello@1.1.0 --hosts 'labels.role=web' --dry-run",
    "rollout create web-1.1 --release hello@1.1.0 --hosts 'labels.role=web' --waves 1,10%,100% --wait",
    "rollout create web-1.1 --release hello --hosts 'labels.role=web' --spread-by zone --on-failure rollBackAll",
    'rollout create canary --release hello@1.1.0 --host web-1 --config @hello.json --window nights',
  ],
  async run(cli, { name }, { dryRun, wait, timeout, exitOnPause, ...options }) {
    if (dryRun && wait) throw new UsageError('use either --dry-run or --wait')
    if (!wait && (timeout !== undefined || exitOnPause))
      throw new UsageError(`${timeout === undefined ? '--exit-on-pause' : '--timeout'} needs --wait`)
    const wharf = await cli.wharf()
    const fields = { name, ...(await rolloutFields(cli, wharf, options)) }
    if (dryRun) return printPlan(cli, (await wharf.rollouts.create({ ...fields, dryRun: true })).plan ?? [])
    const { inventory } = await wharf.rollouts.create(fields)
    if (inventory === null) throw new Error('the server has returned no rollout')
    if (!wait) {
      cli.out.text(inventory.uuid, inventory)
      return cli.info(nextStep(inventory) ?? `Watch it: wharf rollout watch ${inventory.uuid}`)
    }
    await watchRollout(cli, inventory, {
      isNew: true,
      ...(timeout === undefined ? {} : { timeout }),
      ...(exitOnPause === undefined ? {} : { exitOnPause }),
    })
  },
})
