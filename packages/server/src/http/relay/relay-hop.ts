import type { IncomingHttpHeaders } from 'node:http'
import { ApiError } from '@wharf/platform/api-error.ts'
import { constantTimeEqual } from '@wharf/platform/constant-time.ts'
import type { Sealing } from '@wharf/platform/sealing.ts'

/** On a call that one node forwards to another. */
export const hopHeader = 'x-wharf-hop'

/** A call that waited longer, for example at a stopped node, has been abandoned by its sender. */
const validMs = 5000

/** How the call arrived at the first node. */
export interface Hop {
  readonly requestId: string
  /** The address of the caller. */
  readonly source: string
  readonly protocol: string
  readonly host: string
}

/** The request line of the call, unchanged. */
interface Line {
  readonly method: string
  readonly target: string
}

/** Signs and verifies that a call comes from a node with our master key; valid for one call and a few seconds. */
export class Hops {
  readonly #sealing: Sealing
  /** The clock of the database, which all nodes share. */
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

  /** Undefined for a call that was not forwarded, and for a forged header. */
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
