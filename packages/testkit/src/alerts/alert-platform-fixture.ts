import { AlertPlatformService } from '@wharf/server/resources/alerts/alert-platform-service.ts'
import type { Answer, Client } from '../calls/client.ts'
import type { TestServer } from '../server/server.ts'

export interface SentAlert {
  readonly name: string
  readonly status?: 'firing' | 'resolved'
  readonly startsAt?: string
  readonly labels?: Record<string, string>
  readonly annotations?: Record<string, string>
}

/** A webhook body as Alertmanager sends it; an alert is identified by its name. */
export const alertmanagerBody = (...alerts: SentAlert[]) => ({
  version: '4',
  groupKey: '{}:{alertname="x"}',
  truncatedAlerts: 0,
  status: 'firing',
  receiver: 'wharf',
  groupLabels: {},
  commonLabels: {},
  commonAnnotations: {},
  externalURL: 'http://alertmanager.example:9093',
  alerts: alerts.map(
    ({ name, status = 'firing', startsAt = '2026-11-05T01:02:03.000Z', labels, annotations = {} }) => ({
      status,
      labels: { alertname: name, severity: 'critical', ...labels },
      annotations,
      startsAt,
      endsAt: status === 'firing' ? '0001-01-01T00:00:00Z' : '2026-11-05T02:02:03Z',
      generatorURL: 'http://prometheus.example:9090/graph',
      fingerprint: Buffer.from(name).toString('hex').slice(0, 255),
    }),
  ),
})

/** A platform that sends alerts to a server. */
export class AlertPlatformFixture {
  readonly uuid: string
  readonly token: string
  readonly #client: Client

  constructor(client: Client, platform: { uuid: string; token: string }) {
    this.#client = client
    this.uuid = platform.uuid
    this.token = platform.token
  }

  static async create({ app, anonymous }: TestServer, name = 'etcd alerts'): Promise<AlertPlatformFixture> {
    const platforms = new AlertPlatformService(app.foundation)
    const row = await app.foundation.database.transaction((tx) =>
      platforms.create(tx, { name, url: `${app.url}/v1/zwatch/third-party/platforms/x/alerts` }),
    )
    return new AlertPlatformFixture(anonymous, { uuid: row.uuid, token: platforms.tokenOf(row) })
  }

  get path(): string {
    return `/v1/zwatch/third-party/platforms/${this.uuid}/alerts`
  }

  send(...alerts: SentAlert[]): Promise<Answer> {
    return this.post(alertmanagerBody(...alerts))
  }

  post(body: unknown, headers: Record<string, string> = { authorization: `Bearer ${this.token}` }): Promise<Answer> {
    return this.#client.post(this.path, body, headers)
  }
}
