import { Agent, request } from 'node:http'
import { median } from '../measure.ts'

/** Milliseconds, of each round: a busy moment of the machine spoils one of them. */
export interface Latency {
  readonly medians: readonly number[]
  readonly p99s: readonly number[]
}

/** Milliseconds that the call with this number took. */
export type TimedWork = (index: number) => Promise<number>

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

/** A round of the first, one of the second, and so on, and then all over again. */
export async function latenciesOf(
  works: readonly TimedWork[],
  rounds: number,
  callsPerRound: number,
): Promise<Latency[]> {
  const latencies = works.map(() => ({ medians: [] as number[], p99s: [] as number[] }))
  for (let round = 0; round < rounds; round++)
    for (const [at, work] of works.entries()) {
      const times: number[] = []
      for (let index = 0; index < callsPerRound; index++) times.push(await work(round * callsPerRound + index))
      times.sort((a, b) => a - b)
      latencies[at]?.medians.push(median(times))
      latencies[at]?.p99s.push(times[Math.floor(times.length * 0.99)] ?? Number.NaN)
    }
  return latencies
}

export async function latencyOf(work: TimedWork, rounds: number, callsPerRound: number): Promise<Latency> {
  const [latency = { medians: [], p99s: [] }] = await latenciesOf([work], rounds, callsPerRound)
  return latency
}
