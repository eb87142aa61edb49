import type { Recipient } from './platforms/chat-platform.ts'

/**
 * Whom a message is for, and in which words, once its first part has arrived. The rest must be split as the beginning
 * was, whatever has been changed since; the address and what signs it are always those of now.
 */
export const writtenAudience = ({ mentions, atAll, language }: Recipient): string =>
  JSON.stringify({ mentions, atAll, language } satisfies Audience)

export const asBegun = (to: Recipient, audience: string | null): Recipient =>
  audience === null ? to : { ...to, ...(JSON.parse(audience) as Audience) }

type Audience = Pick<Recipient, 'mentions' | 'atAll' | 'language'>
