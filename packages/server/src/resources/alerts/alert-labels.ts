import { type AlertSeverity, classifySeverity } from '@wharf/contract'
import type { IncomingAlert } from './webhook.ts'

/** The length of the columns, which the API documents. */
const maxNameLength = 255

export const alertName = ({ labels }: Pick<IncomingAlert, 'labels'>): string =>
  shown(labels.alertname) || 'unnamed alert'

/** The label as it was sent; null without one. */
export const severityLabel = ({ labels }: Pick<IncomingAlert, 'labels'>): string | null =>
  shown(labels.severity) || null

export const severityOf = (alert: Pick<IncomingAlert, 'labels' | 'status'>): AlertSeverity =>
  alert.status === 'resolved' ? 'resolved' : classifySeverity(severityLabel(alert))

/** The chat shows the severity before the title; a label that differs from it follows the name. */
export function titleOf(alert: Pick<IncomingAlert, 'labels' | 'status'>): string {
  const label = severityLabel(alert)
  const isShown = label === null || label.toLowerCase() === severityOf(alert)
  return shortened(isShown ? alertName(alert) : `${alertName(alert)} (${label})`)
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
