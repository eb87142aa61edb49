import { UsageError } from './errors.ts'

const isoForm = /^(\d{4}-\d\d-\d\d)(?:[t ](\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?)(z|[+-]\d\d(?::?\d\d)?)?)?$/i
/** `Nov 5, 2026 1:02:03 AM`, the form of the times in answers. */
const answerForm = /^[a-z]{3} \d{1,2}, \d{4} \d{1,2}:\d\d:\d\d [ap]m$/i

const expected = 'expected a time such as 2026-11-05T01:02:03Z'

/** In UTC, unless the time has an offset; the server reads the same forms. */
export function parseTime(option: string, text: string, otherForms = ''): number {
  const time = answerForm.test(text) ? Date.parse(`${text} UTC`) : isoTime(text)
  if (!Number.isNaN(time)) return time
  throw new UsageError(`invalid ${option} ${text}: ${expected}${otherForms}`)
}

function isoTime(text: string): number {
  const [, date = '', clock = '00:00', zone = 'Z'] = isoForm.exec(text) ?? []
  // Date.parse takes February 30 for March 2
  if (new Date(Date.parse(date) || 0).toISOString().slice(0, 10) !== date) return Number.NaN
  return Date.parse(`${date}T${clock.replace(',', '.')}${zone.length === 3 ? `${zone}:00` : zone}`)
}

interface Period {
  readonly from?: string | undefined
  readonly to?: string | undefined
}

const hasOffset = (text = ''): boolean => /:\d.*(z|[+-][\d:]+)$/i.test(text)

/** The values of --from and --to. How one with an offset compares to one in the zone of the server is not known here. */
export function parsePeriod({ from, to }: Period) {
  const period = {
    from: from === undefined ? undefined : parseTime('--from', from),
    to: to === undefined ? undefined : parseTime('--to', to),
  }
  const isReversed = (period.from ?? Number.NEGATIVE_INFINITY) >= (period.to ?? Number.POSITIVE_INFINITY)
  if (isReversed && hasOffset(from) === hasOffset(to))
    throw new UsageError(`--from ${from} is not before --to ${to}`, 'swap them, or omit one of them')
  return period
}
