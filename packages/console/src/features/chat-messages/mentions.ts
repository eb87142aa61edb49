import type { ChatKind } from '@wharf/contract'
import { serverTexts } from './server-texts.ts'

export interface Person {
  readonly userId: string
  readonly remark: string | null
}

export interface Audience {
  readonly type: ChatKind
  readonly language: 'en' | 'zh'
  readonly atAll: boolean
  readonly persons: readonly Person[]
}

export interface Called {
  readonly name: string
  /** The application notifies the person; otherwise only the name is shown. */
  readonly isPinged: boolean
}

const isMobile = (userId: string): boolean => /^1[3-9]\d{9}$/.test(userId)

/** The user IDs that each application accepts. */
const known: Record<ChatKind, (userId: string) => boolean> = {
  DingTalk: (userId) => /^(\+\d{1,4}-?\d{4,14}|[a-z0-9][\w.@-]{0,63})$/i.test(userId),
  WeCom: (userId) => /^[a-z0-9][\w.@-]{0,63}$/i.test(userId),
  FeiShu: (userId) => /^[\w-]{1,64}$/.test(userId),
  Slack: (userId) => /^[UWS][A-Z0-9]{1,63}$/.test(userId),
  Teams: (userId) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$|^[^\s@<>"]+@[^\s@<>"]+$/i.test(userId),
}

/** Some applications treat these IDs as "everyone", so they are never mentioned. */
const isReserved = (userId: string): boolean => /^@?(all|everyone|channel|here)$/i.test(userId)

export const isPinged = (type: ChatKind, userId: string): boolean => known[type](userId) && !isReserved(userId)

/** A Teams webhook cannot mention a whole channel: "everyone" is plain text there, and the persons are mentioned too. */
export const callsEveryone = (type: ChatKind): boolean => type !== 'Teams'

export function calledBy({ type, language, atAll, persons }: Audience): Called[] {
  const everyone = { name: serverTexts[language].everyone, isPinged: callsEveryone(type) }
  if (atAll && everyone.isPinged) return [everyone]
  const named = persons.map(({ userId, remark }) => ({
    name: `@${remark || userId}`,
    isPinged: isPinged(type, userId),
  }))
  return atAll ? [everyone, ...named] : named
}

/** WeCom mentions everyone, or a phone number, only in plain text messages. */
export const isPlain = ({ type, atAll, persons }: Audience): boolean =>
  type === 'WeCom' && (atAll || persons.some(({ userId }) => isMobile(userId)))
