import type { SystemEventName } from '@wharf/contract'
import type { ChatMessage } from './platforms/chat-platform.ts'
import type { EndpointRow } from './store.ts'

/** What an endpoint decides about the text of an event. */
export type TemplatedEndpoint = Pick<EndpointRow, 'uuid' | 'name' | 'language' | 'ownEventTemplate'>

/** The texts of messages about Wharf itself. */
export interface EventRenderer {
  /** Throws for an endpoint whose template cannot be used. */
  check(endpoint: TemplatedEndpoint): Promise<void>
  /** The text of an event that is stored with its delivery. */
  render(ownEventData: string, endpoint: TemplatedEndpoint): Promise<string>
  /** A message about an event that did not happen. */
  exampleMessage(event: SystemEventName, endpoint: TemplatedEndpoint): Promise<ChatMessage>
}
