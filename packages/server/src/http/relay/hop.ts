import type { IncomingHttpHeaders } from 'node:http'
import { ApiError } from '@wharf/platform/api-error.ts'
import { constantTimeEqual } from '@wharf/platform/constant-time.ts'
import type { Sealing } from '@wharf/platform/sealing.ts'

/** On a call that one node makes at another in place of its caller. */
export const hopHeader = 'x-wharf-hop'

/** A call that waited longer than this, at a node that was stopped say, has been given up by its sender. */
const validMs = 5000

/** What the second node could not know: how the call came to the first one. */
export interface Hop {
  readonly requestId: string
  /** The address that the caller has. */
  readonly source: string
  readonly protocol: string
  readonly host: string
}

/** The request line of the call, as it was sent. */
interface Line {
  readonly method: string
  readonly target: string
}

/** Proofs that a call comes from a node with our master key, for this one call and a few seconds. */
export class Hops {
  readonly #sealing: Sealing
  /** By the database's clock, which all nodes share. */
  readonly #now: () => number

  constructor(sealing: Sealing, now: () => number) {
    this.#sealing = sealing
    this.#now = now
  }

  write(line: Line, hop: Hop): string {
    const { requestId, source, protocol, host } = hop
    const text = JSON.stringify([Math.round(this.#now()), requestId, source, protocol, host])
    const claims = Buffer.from(text).toString('base64url')
    return `${claims}.${this.#sign(line, claims)}`
  }

  /** Undefined for a call that comes from its caller, also when it pretends otherwise. */
  read(line: Line, headers: IncomingHttpHeaders): Hop | undefined {
    const header = headers[hopHeader]
    if (typeof header !== 'string') return undefined
    const [claims = '', signature = ''] = header.split('.')
    if (!constantTimeEqual(signature, this.#sign(line, claims))) return undefined
    const [at, requestId, source, protocol, host] = JSON.parse(Buffer.from(claims, 'base64url').toString())
    const age = this.#now() - at
    if (Math.abs(age) > validMs) throw new ApiError('SYS.1012', 'the forwarded call has expired; nothing was done')
    return { requestId, source, protocol, host }
  }

  #sign({ method, target }: Line, claims: string): string {
    return this.#sealing.token('hop', `${method} ${target} ${claims}`)
  }
}
