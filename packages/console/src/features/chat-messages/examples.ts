import type { PreviewedMessage } from './ChatMessage.tsx'

interface ExampleMessage extends Omit<PreviewedMessage, 'text'> {
  /** The differences from the example alert of the server; undefined for the test message. */
  readonly alert?: Readonly<Record<string, unknown>>
}

const title = 'EtcdMemberDown'
const labels = { alertname: title, instance: '10.0.0.2:2379', job: 'etcd' }
/** The zero time of Alertmanager: the alert has not ended. */
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
