import type { ActorKind } from '@wharf/contract'
import type { messages } from './messages.ts'

export interface Acted {
  readonly actorName?: string | null | undefined
  readonly actorKind?: ActorKind | undefined
}

type Messages = Pick<(typeof messages)['en' | 'zh'], 'kinds' | 'systemFor'>

/** The name of the user, or Wharf for automatic actions, which may continue the work of a user. */
export function actorName({ actorName: name, actorKind = 'Anonymous' }: Acted, t: Messages): string {
  if (!name) return t.kinds[actorKind]
  return actorKind === 'System' ? t.systemFor(name) : name
}
