import type { Language, Recipient } from './chat-platform.ts'
import { onOneLine, plainSpan, type Span } from './portable-text.ts'

const maxNameCharacters = 64
/** As many of the longest ids as fit one part of every vendor; atAll mentions more people. */
const maxMentions = 50

const everyone: Record<Language, string> = { en: '@everyone', zh: '@所有人' }

/** Whom a vendor can mention. */
export interface Mentionable {
  readonly person: (userId: string) => boolean
  readonly everyone: boolean
  /** The displayed form of a name, for a vendor that identifies people by it. */
  readonly shownName?: (name: string) => string
}

/** The line that mentions people: by name, or everyone where the vendor can. */
export function mentionSpans({ mentions, atAll, language }: Recipient, mentionable: Mentionable): Span[] {
  if (atAll && mentionable.everyone) return [{ kind: 'everyone' }]
  const people = [...new Map(mentions.map((mention) => [mention.userId, mention])).values()]
  const names = new UniqueNames(mentionable.shownName)
  const mentioned: Span[] = people.slice(0, maxMentions).map(({ userId, remark }) => {
    const name = names.of(onOneLine(userId, maxNameCharacters), onOneLine(remark ?? '', maxNameCharacters))
    return mentionable.person(userId) && !isReserved(userId) ? { kind: 'mention', userId, name } : plainSpan(`@${name}`)
  })
  if (people.length > maxMentions) mentioned.push(plainSpan(`+${people.length - maxMentions}`))
  if (atAll) mentioned.unshift(plainSpan(everyone[language]))
  return mentioned.flatMap((span, index) => (index === 0 ? [span] : [plainSpan(' '), span]))
}

/** A name for each person: the remark, with the id when another has the same, and with a number when both are equal. */
class UniqueNames {
  readonly #taken = new Set<string>()
  readonly #shown: (name: string) => string

  constructor(shown: (name: string) => string = (name) => name) {
    this.#shown = shown
  }

  of(id: string, remark: string): string {
    const wanted = this.#shown(remark) === '' ? id : remark
    let name = wanted
    for (let n = 1; this.#taken.has(this.#shown(name)); n++) name = `${wanted} (${id})${n === 1 ? '' : ` ${n}`}`
    this.#taken.add(this.#shown(name))
    return name
  }
}

/** Vendors interpret these words as everyone; only atAll may have that effect. */
const isReserved = (userId: string): boolean => /^@?(all|everyone|channel|here)$/i.test(userId)
