import type { ActorKind } from '@wharf/contract'
import { useMessages } from '../../i18n/use-messages.ts'
import { messages } from './messages.ts'

interface Acted {
  readonly actorName?: string | null | undefined
  readonly actorKind?: ActorKind | undefined
}

/** The name of the user, or Wharf for automatic actions. */
export function useActorName(): (entry: Acted) => string {
  const { kinds } = useMessages(messages)
  return ({ actorName, actorKind = 'Anonymous' }) => actorName ?? kinds[actorKind]
}
