import type { RolloutPlanEntry } from '@wharf/sdk'
import type { Cli } from '../../cli.ts'
import { command } from '../../command.ts'
import { resolveUuid } from '../../names/resolve-record.ts'
import { formatBytes } from '../../output/format-quantities.ts'

export const plan = command({
  name: 'plan',
  summary: 'Show the plan of a rollout: what is done with each host, and what blocks it now',
  arguments: { '<rollout>': { help: 'name or uuid', names: 'rollouts' } },
  examples: ['rollout plan web-1.1', 'rollout plan web-1.1 -o json'],
  async run(cli, { rollout }) {
    const wharf = await cli.wharf()
    const { plan: entries } = await wharf.rollouts.getPlan(await resolveUuid(wharf, 'rollouts', rollout))
    printPlan(cli, entries)
  },
})

/** The plan as a table; other forms contain the fields of the API. */
export function printPlan(cli: Cli, entries: readonly RolloutPlanEntry[]): void {
  const rows = entries.map(({ hostName, fromVersion, toVersion, ...entry }) => ({
    ...entry,
    host: hostName,
    from: fromVersion,
    to: toVersion,
  }))
  const layout = {
    columns: ['host', 'wave', 'action', 'from', 'to', 'bytes', 'obstacle'],
    wide: ['hostUuid'],
    nameField: 'hostName',
  }
  cli.out.list(cli.out.isTable ? rows : entries, layout)
  cli.info(planSummary(entries))
}

/** `12 hosts in 3 waves: 10 Upgrade, 2 None; 3.4 MiB to send; 1 host is blocked.` */
export function planSummary(entries: readonly RolloutPlanEntry[]): string {
  const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`
  const filled = new Set(entries.map(({ wave }) => wave))
  const waves = Math.max(0, ...filled)
  const empty = Array.from({ length: waves }, (_, index) => index + 1).filter((wave) => !filled.has(wave))
  const actions = new Map<string, number>()
  for (const { action } of entries) actions.set(action, (actions.get(action) ?? 0) + 1)
  const bytes = entries.reduce((sum, entry) => sum + entry.bytes, 0)
  const blocked = entries.filter(({ obstacle }) => obstacle !== null).length
  const done = [...actions].map(([action, count]) => `${count} ${action}`).join(', ')
  return [
    `${counted(entries.length, 'host')} in ${counted(waves, 'wave')}${empty.length === 0 ? '' : `, none in wave ${empty.join(', ')}`}${done === '' ? '' : `: ${done}`}`,
    `${formatBytes(bytes)} to send`,
    ...(blocked > 0 ? [`${counted(blocked, 'host')} ${blocked === 1 ? 'is' : 'are'} blocked`] : []),
  ]
    .join('; ')
    .concat('.')
}
