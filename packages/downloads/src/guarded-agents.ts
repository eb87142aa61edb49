import { Agent, type AgentOptions } from 'node:http'
import { Agent as SecureAgent } from 'node:https'
import type { Duplex } from 'node:stream'
import { ApiError } from '@wharf/platform/api-error.ts'
import { type ConnectionOptions, openConnection } from './connection.ts'

type GuardOptions = Omit<ConnectionOptions, 'signal'>
type Created = (error: Error | null, socket: Duplex) => void
type Place = { readonly host?: string | null; readonly port?: number | string | null }

const pool: AgentOptions = { keepAlive: true, maxSockets: 50 }

/** For a client library with its own requests: every connection passes the guard of downloads. */
export const guardedAgents = (options: GuardOptions): { httpAgent: Agent; httpsAgent: SecureAgent } => ({
  httpAgent: new GuardedAgent(options),
  httpsAgent: new GuardedSecureAgent(options),
})

class GuardedAgent extends Agent {
  readonly #connections: GuardedConnections

  constructor(options: GuardOptions) {
    super(pool)
    this.#connections = new GuardedConnections('http', options)
  }

  override createConnection(place: Place, created?: Created): undefined {
    this.#connections.open(place, created)
  }

  override destroy(): void {
    this.#connections.close()
    super.destroy()
  }
}

class GuardedSecureAgent extends SecureAgent {
  readonly #connections: GuardedConnections

  constructor(options: GuardOptions) {
    super(pool)
    this.#connections = new GuardedConnections('https', options)
  }

  override createConnection(place: Place, created?: Created): undefined {
    this.#connections.open(place, created)
  }

  override destroy(): void {
    this.#connections.close()
    super.destroy()
  }
}

class GuardedConnections {
  readonly #scheme: string
  readonly #options: GuardOptions
  readonly #closing = new AbortController()

  constructor(scheme: string, options: GuardOptions) {
    this.#scheme = scheme
    this.#options = options
  }

  open({ host, port }: Place, created: Created | undefined): void {
    const name = host?.includes(':') ? `[${host}]` : host
    openConnection(new URL(`${this.#scheme}://${name}:${port}`), {
      ...this.#options,
      signal: this.#closing.signal,
    }).then(
      (socket) => created?.(null, socket),
      // the type requires a socket besides the error
      (error: unknown) => (created as ((error: Error) => void) | undefined)?.(retriable(error)),
    )
  }

  close(): void {
    this.#closing.abort()
  }
}

/** The library retries depending on the system's error; a refused address is not retried. */
function retriable(error: unknown): Error {
  const cause = error instanceof ApiError && error.code === 'SYS.1015' ? error.cause : error
  return cause instanceof Error ? cause : new Error(String(cause))
}
