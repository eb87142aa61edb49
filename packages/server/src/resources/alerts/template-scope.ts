import { escapeMarkdown, safeUrl } from '../chat-endpoints/service.ts'
import { alertName, severityLabel } from './alert-labels.ts'
import type { IncomingAlert } from './webhook.ts'

type Value = string | null | { readonly [name: string]: Value }

/** The variables of a template. Values of the alert are escaped, so that they appear literally. */
export function templateScope(
  alert: IncomingAlert,
  { uuid, name }: { readonly uuid: string; readonly name: string },
  formatTime: (ms: number) => string,
): Record<string, Value> {
  const { status, fingerprint, startsAt, endsAt } = alert
  const severity = severityLabel(alert)
  return {
    alert: {
      status,
      name: escapeMarkdown(alertName(alert)),
      severity: severity && escapeMarkdown(severity),
      labels: escaped(alert.labels),
      annotations: escaped(alert.annotations),
      fingerprint: escapeMarkdown(fingerprint),
      // as Alertmanager writes them, for the filter `date`
      startsAt: new Date(startsAt).toISOString(),
      endsAt: endsAt === null ? null : new Date(endsAt).toISOString(),
      // as people read them
      since: formatTime(startsAt),
      until: endsAt === null ? null : formatTime(endsAt),
      duration: endsAt === null ? null : durationOf(endsAt - startsAt),
      generatorURL: (alert.generatorURL && safeUrl(alert.generatorURL)) || null,
    },
    platform: { uuid, name: escapeMarkdown(name) },
  }
}

const escaped = (texts: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(texts).map(([name, text]) => [escapeMarkdown(name), escapeMarkdown(text)]))

const units = [
  ['d', 86_400],
  ['h', 3600],
  ['min', 60],
  ['s', 1],
] as const

/** `2 h 5 min`: the two largest units. */
export function durationOf(ms: number): string {
  let seconds = Math.max(0, Math.round(ms / 1000))
  const parts: string[] = []
  for (const [unit, length] of units) {
    const count = Math.floor(seconds / length)
    seconds -= count * length
    if (count > 0) parts.push(`${count} ${unit}`)
    else if (parts.length > 0) break
  }
  return parts.slice(0, 2).join(' ') || '0 s'
}
