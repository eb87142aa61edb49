import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freePort } from '../free-port.ts'

const configuration = fileURLToPath(new URL('../../../../examples/scaling/haproxy.cfg', import.meta.url))
const program = '/usr/sbin/haproxy'

/** HAProxy as the guide shows it, in front of two nodes. */
export class LoadBalancer {
  readonly port: number

  private constructor(port: number) {
    this.port = port
  }

  /** Reserves its address before the nodes start, because they are configured with it. */
  static async reserve(): Promise<LoadBalancer> {
    return new LoadBalancer(await freePort('127.0.0.1'))
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}/wharf`
  }

  /** Resolves when it forwards calls. */
  async start(t: { after(work: () => Promise<void>): void }, nodes: readonly [string, string]): Promise<void> {
    const [NODE_A, NODE_B] = nodes.map((url) => new URL(url).host)
    const balancer = spawn(program, ['-db', '-f', configuration], {
      env: { LISTEN: `127.0.0.1:${this.port}`, NODE_A, NODE_B },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    let stderr = ''
    balancer.stderr.on('data', (chunk) => {
      stderr += chunk
    })
    const ended = once(balancer, 'exit')
    t.after(async () => {
      balancer.kill('SIGKILL')
      await ended
    })
    for (let tries = 0; tries < 100; tries++) {
      if (balancer.exitCode !== null) break
      const answer = await fetch(`${this.url}/readyz`).catch(() => undefined)
      if (answer?.status === 200) return
      await delay(50)
    }
    throw new Error(`haproxy does not forward calls: ${stderr}`)
  }
}
