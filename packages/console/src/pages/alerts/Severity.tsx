import Badge, { type BadgeProps } from '@cloudscape-design/components/badge'

/** Severities are free text in Alertmanager; these are the common ones. */
const colours: Readonly<Record<string, BadgeProps['color']>> = {
  critical: 'severity-critical',
  error: 'severity-high',
  warning: 'severity-medium',
  info: 'blue',
}

export const Severity = ({ value }: { value: string | null | undefined }) =>
  value ? <Badge color={colours[value.toLowerCase()] ?? 'grey'}>{value}</Badge> : <>–</>
