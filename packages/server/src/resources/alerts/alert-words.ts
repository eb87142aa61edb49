import type { Severity } from '../chat-endpoints/service.ts'
import type { IncomingAlert } from './webhook.ts'

/** What the columns hold, and the API promises. */
const maxNameLength = 255

/** People write severities as they like; what is not known is worth a look. */
const severities: Readonly<Record<string, Severity>> = {
  critical: 'critical',
  disaster: 'critical',
  emergency: 'critical',
  error: 'critical',
  fatal: 'critical',
  high: 'critical',
  page: 'critical',
  warning: 'warning',
  warn: 'warning',
  info: 'info',
  informational: 'info',
  low: 'info',
  none: 'info',
  notice: 'info',
}

export const alertName = ({ labels }: Pick<IncomingAlert, 'labels'>): string =>
  shown(labels.alertname) || 'unnamed alert'

/** The label as it was written; null without one. */
export const severityLabel = ({ labels }: Pick<IncomingAlert, 'labels'>): string | null =>
  shown(labels.severity) || null

export function severityOf(alert: Pick<IncomingAlert, 'labels' | 'status'>): Severity {
  if (alert.status === 'resolved') return 'resolved'
  const label = severityLabel(alert)?.toLowerCase() ?? ''
  return Object.hasOwn(severities, label) ? (severities[label] ?? 'warning') : 'warning'
}

/** The chat puts the severity before it; where that does not tell the label, the label stands behind the name. */
export function titleOf(alert: Pick<IncomingAlert, 'labels' | 'status'>): string {
  const label = severityLabel(alert)
  const isTold = label === null || label.toLowerCase() === severityOf(alert)
  return shortened(isTold ? alertName(alert) : `${alertName(alert)} (${label})`)
}

const shown = (text: string | undefined): string =>
  shortened(
    (text ?? '')
      .toWellFormed()
      .replace(/\p{Cc}+/gu, ' ')
      .trim(),
  )

const shortened = (text: string): string =>
  text.length > maxNameLength ? `${text.slice(0, maxNameLength - 1).toWellFormed()}…` : text
