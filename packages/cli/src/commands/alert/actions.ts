import { type CommandSpec, command } from '../../command.ts'
import { UsageError } from '../../errors.ts'
import { forEachName } from '../../for-each-name.ts'
import { resolveRecord } from '../../names/resolve-record.ts'
import { parseTime } from '../../time-options.ts'

const named = { '<alert...>': { help: 'names or uuids', names: 'alerts' } } as const

const acknowledge = command({
  name: 'acknowledge',
  aliases: ['ack'],
  summary: 'Acknowledge a firing alert; it sends no message until it is resolved',
  arguments: named,
  options: { '--comment <text>': { help: 'remark for others' } },
  examples: ['alert acknowledge HighLoad', 'alert acknowledge HighLoad DiskFull --comment "on it"'],
  async run(cli, { alert: alerts }, { comment }) {
    const wharf = await cli.wharf()
    await forEachName(cli, alerts, {
      find: (alert) => resolveRecord(wharf, 'alerts', alert),
      async act({ uuid, name }) {
        const { inventory } = await wharf.alerts.acknowledge(uuid, { comment })
        return { message: `Acknowledged ${name}.`, data: inventory }
      },
    })
  },
})

const silence = command({
  name: 'silence',
  summary: 'Silence an alert for some time: it is stored, and sends no message',
  arguments: named,
  options: {
    '--comment <text>': { help: 'why it is silenced', required: true },
    '--for <duration>': { help: 'such as 30m, 2h or 3d, at most 90d' },
    '--until <time>': { help: 'end of the silence instead, such as 2026-11-05T18:00Z' },
  },
  examples: [
    'alert silence HighLoad --for 2h --comment "load test"',
    'alert silence HighLoad --until 2026-11-05T18:00Z --comment "load test"',
  ],
  async run(cli, { alert: alerts }, { comment, for: duration, until }) {
    const end = endOfSilence(duration, until)
    const wharf = await cli.wharf()
    await forEachName(cli, alerts, {
      find: (alert) => resolveRecord(wharf, 'alerts', alert),
      async act({ uuid, name }) {
        const { inventory } = await wharf.alerts.silence(uuid, { until: end, comment })
        return { message: `Silenced ${name} until ${inventory.silencedUntil}.`, data: inventory }
      },
    })
  },
})

const unsilence = command({
  name: 'unsilence',
  summary: 'End the silence of an alert',
  arguments: named,
  examples: ['alert unsilence HighLoad'],
  async run(cli, { alert: alerts }) {
    const wharf = await cli.wharf()
    await forEachName(cli, alerts, {
      find: (alert) => resolveRecord(wharf, 'alerts', alert),
      async act({ uuid, name }) {
        const { inventory } = await wharf.alerts.unsilence(uuid)
        return { message: `Ended the silence of ${name}.`, data: inventory }
      },
    })
  },
})

const unitMs: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 }

function endOfSilence(duration: string | undefined, until: string | undefined): string {
  if ((duration === undefined) === (until === undefined)) throw new UsageError('pass either --for or --until')
  if (until !== undefined) parseTime('--until', until)
  if (duration === undefined) return until ?? ''
  const [, count = '', unit = ''] = /^(\d{1,6})([mhd])$/.exec(duration) ?? []
  if (unit === '') throw new UsageError(`invalid --for ${duration}: use a number of minutes, hours or days, such as 2h`)
  return new Date(Date.now() + Number(count) * (unitMs[unit] ?? 0)).toISOString()
}

export const alertActions: readonly CommandSpec[] = [acknowledge, silence, unsilence]
