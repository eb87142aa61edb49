import {
  type AlertSeverity,
  type AnswerOf,
  alertSeverities,
  type FieldsOf,
  type getThirdpartyAlertHistogram,
  type Recorded,
  severitySpellings,
} from '@wharf/contract'
import type { QueryInput } from '@wharf/database/query.ts'
import type { Queries } from '../../calls/query-bindings.ts'
import { type Period, readPeriod } from '../../calls/read-period.ts'
import { alertRecords } from './store.ts'

type Histogram = Recorded<AnswerOf<typeof getThirdpartyAlertHistogram>>

const defaultPeriodMs = 86_400_000
const defaultBuckets = 48

const spelledAs = (severity: AlertSeverity): string =>
  Object.entries(severitySpellings)
    .filter(([, meant]) => meant === severity)
    .map(([spelling]) => `'${spelling}'`)
    .join(', ')

/** `severityOf` in SQL; the spellings are ASCII, so both engines ignore case alike. */
const severitySql = `case when "status" = 'resolved' then 'resolved'
  when lower("severity") in (${spelledAs('critical')}) then 'critical'
  when lower("severity") in (${spelledAs('info')}) then 'info'
  else 'warning' end`

/** Counts alerts by the time of their arrival and by severity. */
export async function readHistogram(
  { database, timezone }: Queries,
  { q, buckets = defaultBuckets, ...fields }: FieldsOf<typeof getThirdpartyAlertHistogram>,
  { now, ...caller }: Pick<QueryInput, 'userUuid' | 'scope' | 'disconnectSignal'> & { now: number },
): Promise<Histogram> {
  const period = readPeriod(fields, { now, defaultMs: defaultPeriodMs, timeZone: timezone })
  const intervalMs = intervalOf(period, buckets)
  const rows = await alertRecords.countGroups(
    database,
    { ...caller, timeZone: timezone, ...(q && { q }) },
    {
      by: { bucket: `("createDate" - ${period.from}) / ${intervalMs}`, severity: severitySql },
      where: `"createDate" >= ${period.from} and "createDate" < ${period.to}`,
    },
  )
  const counts = new Map(rows.map(({ bucket, severity, total }) => [`${bucket} ${severity}`, Number(total)]))
  const count = Math.ceil((period.to - period.from) / intervalMs)
  return {
    ...period,
    intervalSeconds: intervalMs / 1000,
    buckets: Array.from({ length: count }, (_, bucket) => ({
      start: period.from + bucket * intervalMs,
      ...(Object.fromEntries(
        alertSeverities.map((severity) => [severity, counts.get(`${bucket} ${severity}`) ?? 0]),
      ) as Record<AlertSeverity, number>),
    })),
  }
}

/** Whole seconds, because the times of answers have no fraction. */
const intervalOf = ({ from, to }: Period, buckets: number): number => Math.ceil((to - from) / buckets / 1000) * 1000
