import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'

const maxWaitMs = 20_000

interface ReceivedAlert {
  readonly authorization: string | undefined
  readonly status: string
  readonly labels: Readonly<Record<string, string>>
  readonly startsAt: string
}

/** The webhook that Alertmanager calls; it records every alert. */
export class AlertReceiver {
  readonly received: ReceivedAlert[] = []
  readonly url: string

  private constructor(url: string) {
    this.url = url
  }

  static async start(t: { after(work: () => Promise<void>): void }, address: string): Promise<AlertReceiver> {
    const server = createServer(async (request, response) => {
      const { alerts } = (await json(request)) as { alerts: Omit<ReceivedAlert, 'authorization'>[] }
      const { authorization } = request.headers
      receiver.received.push(...alerts.map((alert) => ({ authorization, ...alert })))
      response.end()
    })
    server.listen(0, address)
    await once(server, 'listening')
    t.after(async () => {
      server.closeAllConnections()
      server.close()
    })
    const receiver = new AlertReceiver(
      `http://${address}:${(server.address() as AddressInfo).port}/v1/platforms/x/alerts`,
    )
    return receiver
  }

  async waitFor(status: string): Promise<ReceivedAlert> {
    const deadline = performance.now() + maxWaitMs
    while (performance.now() < deadline) {
      const found = this.received.find((alert) => alert.status === status)
      if (found) return found
      await delay(50)
    }
    throw new Error(`no ${status} alert arrived; received ${JSON.stringify(this.received)}`)
  }
}
