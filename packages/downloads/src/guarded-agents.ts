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
  httpAgent: guarded(new Agent(pool), 'http', options),
  httpsAgent: guarded(new SecureAgent(pool), 'https', options),
})

function guarded<A extends Agent>(agent: A, scheme: string, options: GuardOptions): A {
  const closing = new AbortController()
  const destroy = agent.destroy.bind(agent)
  return Object.assign(agent, {
    createConnection({ host, port }: Place, created?: Created): undefined {
      const name = host?.includes(':') ? `[${host}]` : host
      openConnection(new URL(`${scheme}://${name}:${port}`), { ...options, signal: closing.signal }).then(
        (socket) => created?.(null, socket),
        // the type requires a socket besides the error
        (error: unknown) => (created as ((error: Error) => void) | undefined)?.(retriable(error)),
      )
    },
    destroy(): void {
      closing.abort()
      destroy()
    },
  })
}

/** The library retries depending on the system's error; a refused address is not retried. */
function retriable(error: unknown): Error {
  const cause = error instanceof ApiError && error.code === 'SYS.1015' ? error.cause : error
  return cause instanceof Error ? cause : new Error(String(cause))
}
