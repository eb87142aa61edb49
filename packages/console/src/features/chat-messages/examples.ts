import type { PreviewedMessage } from './ChatMessage.tsx'

interface ExampleMessage extends Omit<PreviewedMessage, 'text'> {
  /** What differs from the example that the server has; none where no template is asked. */
  readonly alert?: Readonly<Record<string, unknown>>
}

const title = 'EtcdMemberDown'
const labels = { alertname: title, instance: '10.0.0.2:2379', job: 'etcd' }
/** How Alertmanager writes that it is not over. */
const endsAt = '0001-01-01T00:00:00Z'

export type Example = 'critical' | 'warning' | 'resolved' | 'test'

export const examples: Readonly<Record<Example, ExampleMessage>> = {
  critical: { title, severity: 'critical', alert: { status: 'firing', endsAt } },
  warning: {
    title,
    severity: 'warning',
    alert: { status: 'firing', endsAt, labels: { ...labels, severity: 'warning' } },
  },
  resolved: { title, severity: 'resolved', alert: { status: 'resolved' } },
  test: { title: 'Wharf', severity: 'info' },
}
