import type { Recipient } from './platforms/chat-platform.ts'

/**
 * The mentions and the language of a message once its first part was delivered: the other parts must be split in the same
 * way, whatever changes meanwhile. Address and secret are always the current ones.
 */
export const serializeAudience = ({ mentions, atAll, language }: Recipient): string =>
  JSON.stringify({ mentions, atAll, language } satisfies Audience)

export const withStoredAudience = (to: Recipient, audience: string | null): Recipient =>
  audience === null ? to : { ...to, ...(JSON.parse(audience) as Audience) }

type Audience = Pick<Recipient, 'mentions' | 'atAll' | 'language'>
