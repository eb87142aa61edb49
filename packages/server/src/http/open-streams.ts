import { tooMany, type UserLimits, userLimits } from '@wharf/platform/user-limits.ts'
import type { SseWriter } from './sse-writer.ts'
import { UnsentBytes } from './unsent-bytes.ts'

/** The owner of a stream. A token instead of a credential has no user. */
interface Reader {
  readonly userUuid: string
  readonly address: string
}

type Limits = Pick<UserLimits, 'openStreams' | 'openStreamsPerAddress'>

/** The open streams, closed by draining and limited per user. */
export class OpenStreams {
  readonly #limits: Limits
  /** Of these and of all other responses. */
  readonly unsent: UnsentBytes
  readonly #streams = new Map<SseWriter, Reader>()
  readonly #byUser = new Map<string, number>()
  readonly #byAddress = new Map<string, number>()
  #ended = false

  constructor(limits: Limits = userLimits, unsent = new UnsentBytes()) {
    this.#limits = limits
    this.unsent = unsent
  }

  /** Before a stream is opened. */
  refuseTooMany({ userUuid, address }: Reader): void {
    const { openStreams, openStreamsPerAddress } = this.#limits
    const remedy = 'close one that is no longer read'
    if (userUuid !== '' && (this.#byUser.get(userUuid) ?? 0) >= openStreams)
      throw tooMany('SYS.1006', `user ${userUuid} has ${openStreams} open streams on this node`, remedy)
    if ((this.#byAddress.get(address) ?? 0) >= openStreamsPerAddress)
      throw tooMany('SYS.1006', `${openStreamsPerAddress} streams to ${address} are open on this node`, remedy)
  }

  add(stream: SseWriter, reader: Reader): void {
    this.#streams.set(stream, reader)
    stream.countUnsent(this.unsent)
    change(this.#byUser, reader.userUuid, 1)
    change(this.#byAddress, reader.address, 1)
    stream.onClose(() => this.#remove(stream, reader))
    // its caller was authenticated just before draining started
    if (this.#ended) stream.end()
  }

  get size(): number {
    return this.#streams.size
  }

  endAll(): void {
    this.#ended = true
    for (const stream of [...this.#streams.keys()]) stream.end()
  }

  #remove(stream: SseWriter, { userUuid, address }: Reader): void {
    if (!this.#streams.delete(stream)) return
    change(this.#byUser, userUuid, -1)
    change(this.#byAddress, address, -1)
  }
}

function change(counts: Map<string, number>, key: string, by: 1 | -1): void {
  const count = (counts.get(key) ?? 0) + by
  if (count > 0) counts.set(key, count)
  else counts.delete(key)
}
