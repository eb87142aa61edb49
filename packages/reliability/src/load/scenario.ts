import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { Client, ServerProcess, serverEnvironment } from '@wharf/testkit'
import { inspectorEnvironment, liveMiB } from '../live-memory.ts'
import { type ProcessUsage, settledDescriptors, usageOf } from '../process-usage.ts'
import type { LoadOrder, LoadReport } from './calls.ts'

const generator = fileURLToPath(new URL('./generator.ts', import.meta.url))

/** `liveMiB` where its garbage was collected first. */
export type LoadSample = ProcessUsage & { readonly liveMiB: number | undefined }

/** A server in its own process, and a load generator. */
export class LoadFixture {
  readonly server: ServerProcess
  readonly #order: Pick<LoadOrder, 'url' | 'key' | 'session'>

  private constructor(server: ServerProcess, order: Pick<LoadOrder, 'url' | 'key' | 'session'>) {
    this.server = server
    this.#order = order
  }

  static async start(t: { after(work: () => Promise<void>): void }): Promise<LoadFixture> {
    // this process would keep every line that the server logs
    const environment = { ...(await serverEnvironment(t)), ...inspectorEnvironment, WHARF_LOG_LEVEL: 'warn' }
    const server = new ServerProcess(environment)
    t.after(async () => void (await server.stop()))
    await server.start()
    const { url, password } = server.bootstrap
    const signedIn = await server.anonymous.put('/v1/accounts/login', {
      logInByAccount: { accountName: 'admin', password },
    })
    const { uuid } = signedIn.body.inventory as { uuid: string }
    return new LoadFixture(server, { url, key: server.admin.credential, session: { kind: 'session', uuid } })
  }

  get usage(): ProcessUsage {
    return usageOf(this.server.pid)
  }

  /** Its usage after a garbage collection, once closed connections are released. */
  async settledUsage(): Promise<ProcessUsage & { readonly liveMiB: number }> {
    const live = await liveMiB(this.server.stderr)
    const descriptors = await settledDescriptors(this.server.pid)
    return { ...this.usage, descriptors, liveMiB: live }
  }

  /** Its log lines. */
  get logged(): string {
    return this.server.stderr
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .join('\n')
  }

  /** Counts the records that only the load creates: none may be left. */
  async countTags(): Promise<number> {
    const { body } = await new Client(this.#order.url, this.#order.key).get('/v1/tags?count=true')
    return body.total as number
  }

  /**
   * Calls for so long, from another process; samples of the server meanwhile. With `collectEvery`, every n-th sample is taken
   * after a garbage collection.
   */
  async run(
    load: Pick<LoadOrder, 'connections' | 'seconds' | 'callsPerSecond'>,
    everyMs: number,
    collectEvery = Number.POSITIVE_INFINITY,
  ): Promise<{ report: LoadReport; samples: LoadSample[] }> {
    const order: LoadOrder = { ...this.#order, ...load }
    const child = spawn(process.execPath, [generator, JSON.stringify(order)], { stdio: ['ignore', 'pipe', 'inherit'] })
    const samples: LoadSample[] = []
    let sampleCount = 0
    const sample = async (): Promise<void> => {
      const live = ++sampleCount % collectEvery === 0 ? await liveMiB(this.server.stderr) : undefined
      samples.push({ ...this.usage, liveMiB: live })
    }
    const pending: Promise<void>[] = []
    const sampling = setInterval(() => pending.push(sample()), everyMs)
    try {
      const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')])
      if (code !== 0) throw new Error(`the load generator ended with ${code}`)
      clearInterval(sampling)
      await Promise.all(pending)
      return { report: JSON.parse(output) as LoadReport, samples }
    } finally {
      clearInterval(sampling)
      child.kill('SIGKILL')
    }
  }
}
