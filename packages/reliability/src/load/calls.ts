import type { ClientCredential } from '@wharf/testkit'

export interface LoadOrder {
  readonly url: string
  readonly key: ClientCredential
  readonly session: ClientCredential
  readonly connections: number
  readonly seconds: number
  /** Of all connections together; as many as there can be when absent. */
  readonly callsPerSecond?: number
}

export interface LoadReport {
  readonly calls: number
  readonly errors: readonly string[]
  readonly errorCount: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly maxMs: number
}

export interface LoadCall {
  readonly as: 'key' | 'session'
  readonly method: string
  /** `{made}` is the record that this caller has made last. */
  readonly path: string
  readonly body?: (number: number) => object
}

/** What each connection does over and over: signed calls and calls of a session, reads and writes. Nothing piles up. */
export const loadCycle: readonly LoadCall[] = [
  {
    as: 'key',
    method: 'POST',
    path: '/v1/tags',
    body: (number) => ({ params: { name: `load ${number}`, color: 'teal' } }),
  },
  { as: 'session', method: 'GET', path: '/v1/tags/{made}' },
  { as: 'key', method: 'GET', path: '/v1/tags?limit=20&sort=-createDate' },
  { as: 'session', method: 'GET', path: '/v1/hosts?q=state=Enabled&fields=uuid,name,status' },
  { as: 'key', method: 'GET', path: '/v1/api-jobs?limit=5&replyWithCount=true' },
  { as: 'session', method: 'DELETE', path: '/v1/tags/{made}' },
]
