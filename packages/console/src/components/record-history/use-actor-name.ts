import { useMessages } from '../../i18n/use-messages.ts'
import { type Acted, actorName } from './actor-name.ts'
import { messages } from './messages.ts'

export function useActorName(): (entry: Acted) => string {
  const t = useMessages(messages)
  return (entry) => actorName(entry, t)
}
