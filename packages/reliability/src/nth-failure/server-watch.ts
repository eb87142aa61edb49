import {
  countCalls,
  type FailingPrograms,
  mostCalls,
  type SeenCalls,
  type ServerProcess,
  serverThreads,
  type WatchedCalls,
  WatchedThread,
} from '@wharf/testkit'
import type { CallSite, Fault } from './scenario.ts'

/** Calls of a running server, distinguished by the thread or process that makes them. */
export interface ServerSite extends CallSite {
  /**
   * A thread of the server; the programs that it runs on this machine as a host; or each of the processes that there are,
   * the server's own and all that it starts.
   */
  readonly by: 'main' | 'files' | 'programs' | 'processes'
  /** Where calls of this name on anything else are not to fail. */
  readonly paths?: () => Promise<readonly string[]>
}

/** SQLite, in the thread of the server itself. */
export const databaseSites: readonly ServerSite[] = [
  { name: 'the write-ahead log', by: 'main', call: 'pwrite64', error: 'ENOSPC' },
  { name: 'fsync of the log', by: 'main', call: 'fsync', error: 'EIO' },
]

/**
 * Strace at a server while it does something. The calls of the programs that it runs are numbered through, as if they
 * were one thread's: the first ones of the first program, then those of the second. In a program that starts others each
 * of them counts separately, so that more than one call fails there.
 */
export class ServerWatch {
  readonly #server: ServerProcess
  readonly #programs: FailingPrograms
  readonly #callsOfPrograms = new Map<ServerSite, readonly number[]>()

  constructor(server: ServerProcess, programs: FailingPrograms) {
    this.#server = server
    this.#programs = programs
  }

  /** The number of calls at each site during some work. */
  async count(sites: readonly ServerSite[], work: () => Promise<unknown>): Promise<number[]> {
    const at = (by: ServerSite['by']) => sites.filter((site) => site.by === by)
    const callsAt = (by: ServerSite['by']) => [...new Set(at(by).map(({ call }) => call))]
    const threads = (['main', 'files', 'processes'] as const).filter((by) => at(by).length > 0)
    const watched = await Promise.all(threads.map((by) => this.#attach(by, { calls: callsAt(by) })))
    if (at('programs').length > 0) this.#programs.watch('all', { calls: callsAt('programs') })
    let ended: SeenCalls[] = []
    try {
      await work()
    } finally {
      ended = await Promise.all(watched.map((one) => one.detach()))
    }
    const programs = at('programs').length > 0 ? this.#programs.end() : new Map<number, SeenCalls>()
    const counts = sites.map(async (site) => {
      if (site.by === 'programs') return this.#countPrograms(site, programs)
      const seen = ended[threads.indexOf(site.by)] as SeenCalls
      return site.by === 'processes' ? mostCalls(seen, site.call) : countCalls(seen, site.call, await site.paths?.())
    })
    return Promise.all(counts)
  }

  #countPrograms(site: ServerSite, programs: ReadonlyMap<number, SeenCalls>): number {
    // programs started by another program have a number too, but no list of their own
    const counts = Array.from({ length: Math.max(0, ...programs.keys()) }, (_, index) => {
      const seen = programs.get(index + 1)
      return seen === undefined ? 0 : mostCalls(seen, site.call)
    })
    this.#callsOfPrograms.set(site, counts)
    return counts.reduce((sum, count) => sum + count, 0)
  }

  /** Does something while the n-th call of a site fails. */
  async failing<T>(site: ServerSite, fault: Fault, work: () => Promise<T>): Promise<{ result: T; seen: SeenCalls }> {
    const end = site.by === 'programs' ? this.#failProgram(site, fault) : await this.#failThread(site.by, site, fault)
    let seen: SeenCalls | undefined
    try {
      const result = await work()
      seen = await end()
      return { result, seen }
    } finally {
      if (seen === undefined) await end()
    }
  }

  async #failThread(by: ThreadName, site: ServerSite, fault: Fault): Promise<() => Promise<SeenCalls>> {
    const watched = await this.#attach(by, { calls: [site.call], fault, paths: await site.paths?.() })
    return () => watched.detach()
  }

  #failProgram(site: ServerSite, { nth, error }: Fault): () => Promise<SeenCalls> {
    const counts = this.#callsOfPrograms.get(site) ?? []
    let program = 0
    let left = nth
    while (program < counts.length && left > (counts[program] ?? 0)) left -= counts[program++] ?? 0
    this.#programs.watch(program + 1, { calls: [site.call], fault: { nth: left, error } })
    return async () => {
      const seen = [...this.#programs.end().values()]
      return { calls: seen.flatMap(({ calls }) => calls), failed: seen.flatMap(({ failed }) => failed) }
    }
  }

  #attach(by: ThreadName, watched: WatchedCalls): Promise<WatchedThread> {
    const { main, files } = serverThreads(this.#server.pid)
    return WatchedThread.attach(by === 'files' ? files : main, watched, { withChildren: by === 'processes' })
  }
}

type ThreadName = Exclude<ServerSite['by'], 'programs'>
