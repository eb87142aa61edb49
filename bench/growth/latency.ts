import { Agent, request } from 'node:http'
import { median } from '../measure.ts'

export interface Latency {
  readonly median: number
  readonly p99: number
}

export interface TimedCall {
  readonly url: string
  readonly method?: string
  readonly headers: Record<string, string>
  readonly body?: Buffer
}

/** One connection, one call after the other; milliseconds each. */
export class Caller {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 })

  async timed({ url, method = 'GET', headers, body }: TimedCall): Promise<number> {
    const began = performance.now()
    await new Promise<void>((resolve, reject) => {
      const call = request(url, { method, headers, agent: this.#agent }, (answer) => {
        answer.resume()
        answer.once('end', () =>
          (answer.statusCode ?? 500) < 300 ? resolve() : reject(new Error(`${method} ${url}: ${answer.statusCode}`)),
        )
      })
      call.once('error', reject)
      call.end(body)
    })
    return performance.now() - began
  }

  close(): void {
    this.#agent.destroy()
  }
}

const rounds = 5
const callsPerRound = 300

/** The median over rounds of each round's median and 99th percentile: a busy moment of the machine spoils one of them. */
export async function latencyOf(call: (index: number) => Promise<number>): Promise<Latency> {
  const medians: number[] = []
  const p99s: number[] = []
  for (let round = 0; round < rounds; round++) {
    const times: number[] = []
    for (let index = 0; index < callsPerRound; index++) times.push(await call(round * callsPerRound + index))
    times.sort((a, b) => a - b)
    medians.push(median(times))
    p99s.push(times[Math.floor(times.length * 0.99)] ?? Number.NaN)
  }
  return { median: median(medians), p99: median(p99s) }
}
