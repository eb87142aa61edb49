import { command, type GroupSpec, type OptionSpecs, type OptionsOf } from '../command.ts'
import { deleteCommand } from '../delete-command.ts'
import { UsageError } from '../errors.ts'
import { listCommand } from '../list-command.ts'
import { resolveUuid } from '../names/resolve-record.ts'
import { parseInteger } from '../option-values.ts'
import { printRecord } from '../print-record.ts'
import { showCommand } from '../show-command.ts'
import { createVerbs } from '../verbs.ts'

const minutesPerWeek = 7 * 24 * 60

const windowOptions = {
  '--time-zone <zone>': { help: 'IANA time zone of the cron expression, such as Europe/Berlin' },
  '--cutoff <minutes>': { help: 'start no host in the last minutes of the window' },
  '--hosts <condition>': {
    help: 'restrict only hosts that match, such as labels.zone=a; repeatable, all must match (default: every host)',
    repeated: true,
  },
} as const satisfies OptionSpecs

const windowFields = ({ timeZone, cutoff, hosts: selector }: OptionsOf<typeof windowOptions>) => ({
  timeZone,
  cutoffMinutes: parseInteger('--cutoff', cutoff, { max: minutesPerWeek - 1 }),
  selector,
})

const parseDuration = (text: string | undefined): number | undefined =>
  parseInteger('--duration', text, { min: 1, max: minutesPerWeek })

const create = command({
  ...createVerbs('create'),
  summary: 'Create a maintenance window: the times at which rollouts that use it work on hosts',
  arguments: { '<name>': { help: 'name of the window' } },
  options: {
    '--cron <expression>': { help: 'when it opens: minute hour day month weekday, as in crontab', required: true },
    '--duration <minutes>': { help: 'how long it is open', required: true },
    ...windowOptions,
    '--time-zone <zone>': { help: `${windowOptions['--time-zone <zone>'].help} (default: UTC)` },
  },
  examples: [
    "window create nights --cron '0 2 * * *' --duration 120 --time-zone Europe/Berlin",
    "window create zone-a --cron '0 22 * * 6' --duration 240 --cutoff 30 --hosts labels.zone=a",
  ],
  async run(cli, { name }, { cron, duration, ...options }) {
    const durationMinutes = parseDuration(duration) ?? 0
    const wharf = await cli.wharf()
    const fields = { name, cron, durationMinutes, ...windowFields(options) }
    await printRecord(cli, (await wharf.maintenanceWindows.create(fields)).inventory)
  },
})

const update = command({
  name: 'update',
  aliases: ['edit'],
  summary: 'Change a maintenance window; rollouts that use it follow at once',
  arguments: { '<window>': { help: 'name or uuid', names: 'maintenanceWindows' } },
  options: {
    '--name <name>': { help: 'new name' },
    '--cron <expression>': { help: 'when it opens: minute hour day month weekday, as in crontab' },
    '--duration <minutes>': { help: 'how long it is open' },
    ...windowOptions,
    '--all-hosts': { help: 'restrict every host' },
  },
  examples: ["window update nights --cron '0 3 * * *'", 'window update zone-a --duration 60 --all-hosts'],
  async run(cli, { window: nameOrUuid }, { name, cron, duration, allHosts, ...options }) {
    if (allHosts && options.hosts !== undefined) throw new UsageError('use either --hosts or --all-hosts')
    const given = windowFields(options)
    const selector = allHosts ? [] : given.selector
    const change = { name, cron, durationMinutes: parseDuration(duration), ...given, selector }
    if (Object.values(change).every((value) => value === undefined))
      throw new UsageError(
        'nothing to change: use --name, --cron, --duration, --time-zone, --cutoff, --hosts or --all-hosts',
      )
    const wharf = await cli.wharf()
    const uuid = await resolveUuid(wharf, 'maintenanceWindows', nameOrUuid)
    await printRecord(cli, (await wharf.maintenanceWindows.update(uuid, change)).inventory)
  },
})

export const window: GroupSpec = {
  name: 'window',
  summary: 'Manage maintenance windows of rollouts',
  commands: [
    listCommand('maintenanceWindows', {
      path: 'window',
      plural: 'maintenance windows',
      columns: ['name', 'cron', 'durationMinutes', 'timeZone', 'cutoffMinutes', 'selector', 'uuid'],
      wide: ['nextOpenDate', 'createDate', 'lastOpDate'],
    }),
    showCommand('maintenanceWindows', { path: 'window', example: 'nights' }),
    create,
    update,
    deleteCommand('maintenanceWindows', {
      path: 'window',
      summary: 'Delete a maintenance window; fails while an unfinished rollout uses it',
      examples: ['nights', 'zone-a'],
    }),
  ],
}
