/** An alert as Alertmanager sends it, for checks and previews of templates. */
export const exampleAlert = {
  status: 'resolved',
  labels: { alertname: 'EtcdMemberDown', severity: 'critical', instance: '10.0.0.2:2379', job: 'etcd' },
  annotations: {
    summary: 'A member of the cluster is down',
    description: 'etcd on 10.0.0.2 has not answered for a minute.',
  },
  startsAt: '2026-11-05T01:02:03Z',
  endsAt: '2026-11-05T01:14:33Z',
  generatorURL: 'http://prometheus.example:9090/graph',
  fingerprint: '0123456789abcdef',
} as const
