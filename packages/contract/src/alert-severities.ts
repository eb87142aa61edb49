/** How messages, badges and charts classify alerts: by severity while they fire. */
export const alertSeverities = ['critical', 'warning', 'info', 'resolved'] as const
export type AlertSeverity = (typeof alertSeverities)[number]

/** Common spellings of the label severity, in lower case; an unknown one is a warning. */
export const severitySpellings: Readonly<Record<string, Exclude<AlertSeverity, 'resolved'>>> = {
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

export function classifySeverity(label: string | null | undefined): Exclude<AlertSeverity, 'resolved'> {
  const spelling = label?.toLowerCase() ?? ''
  return Object.hasOwn(severitySpellings, spelling) ? (severitySpellings[spelling] ?? 'warning') : 'warning'
}
