import { invalid } from '@wharf/platform/api-error.ts'
import { parseTimestamp } from '@wharf/platform/timestamps.ts'

/** An alert as Alertmanager sends it, read and checked. */
export interface IncomingAlert {
  readonly status: 'firing' | 'resolved'
  readonly labels: Readonly<Record<string, string>>
  readonly annotations: Readonly<Record<string, string>>
  readonly startsAt: number
  /** Null while unknown. */
  readonly endsAt: number | null
  readonly fingerprint: string
  readonly generatorURL: string | undefined
}

const maxFingerprintLength = 255
const rfc3339 = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d{1,9})?([Zz]|[+-]\d\d:\d\d)$/

/** Reads the body of Alertmanager's webhook, version 4; unknown fields are ignored. */
export function readWebhook(body: unknown): IncomingAlert[] {
  const { version, alerts } = asObject(body, 'the body')
  if (version !== '4') throw invalid('version must be "4": this address takes the webhook of Alertmanager')
  if (!Array.isArray(alerts)) throw invalid('alerts must be a list')
  return alerts.map((alert: unknown, index) => readAlert(alert, `alerts[${index}]`))
}

export function readAlert(value: unknown, where: string): IncomingAlert {
  const { status, labels, annotations, startsAt, endsAt, fingerprint, generatorURL } = asObject(value, where)
  if (status !== 'firing' && status !== 'resolved') throw invalid(`${where}.status must be firing or resolved`)
  return {
    status,
    labels: asTexts(labels, `${where}.labels`),
    annotations: asTexts(annotations ?? {}, `${where}.annotations`),
    startsAt: asTime(startsAt, `${where}.startsAt`),
    endsAt: asEnd(endsAt, `${where}.endsAt`),
    fingerprint: asFingerprint(fingerprint, `${where}.fingerprint`),
    generatorURL: typeof generatorURL === 'string' ? generatorURL : undefined,
  }
}

function asObject(value: unknown, where: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw invalid(`${where} must be a JSON object`)
  return value as Record<string, unknown>
}

function asTexts(value: unknown, where: string): Record<string, string> {
  const texts = Object.entries(asObject(value, where)).map(([name, text]): [string, string] => {
    if (typeof text !== 'string') throw invalid(`${where} must contain only texts`)
    return [name, text]
  })
  return Object.fromEntries(texts)
}

function asTime(value: unknown, where: string): number {
  const time = typeof value === 'string' && rfc3339.test(value) ? parseTimestamp(value) : undefined
  // a time before 1970 is unset
  if (time === undefined || time < 0) throw invalid(`${where} must be a time such as 2026-11-05T01:02:03Z`)
  return time
}

/** Go writes an unset time as the first instant of year 1. */
const asEnd = (value: unknown, where: string): number | null =>
  value === undefined || value === null || (typeof value === 'string' && value.startsWith('0001-01-01T'))
    ? null
    : asTime(value, where)

function asFingerprint(value: unknown, where: string): string {
  if (typeof value !== 'string' || value === '' || value.length > maxFingerprintLength || !/^[!-~]+$/.test(value))
    throw invalid(`${where} must be 1 to ${maxFingerprintLength} visible ASCII characters`)
  return value
}
