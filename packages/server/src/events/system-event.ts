import type { SystemEventName } from '@wharf/contract'
import type { Tx } from '@wharf/database/database.ts'

/** A text of an error, or one that is known in every language of a chat endpoint. */
export type EventText = string | { readonly en: string; readonly zh: string }

/** Something that happened to Wharf itself and that chat endpoints can subscribe to. It contains no secrets. */
export interface SystemEvent {
  readonly event: SystemEventName
  readonly resource: { readonly type: string; readonly uuid: string; readonly name: string }
  /** Where it happened, such as the host of a package. */
  readonly target?: string | null | undefined
  readonly reason?: EventText | null | undefined
  /** Who caused it. */
  readonly userName?: string | null | undefined
}

export interface SystemEventRecorder {
  /** In the transaction of the change, as its last write: it queues the messages, and other events wait until the commit. */
  record(tx: Tx, event: SystemEvent): Promise<void>
}
