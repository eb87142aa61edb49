import type { ChatMessage, Language, Recipient, Severity } from './chat-platform.ts'
import { type Line, onOneLine, parsePortableText, type Span } from './portable-text.ts'

const maxTitleCharacters = 120
const maxNameCharacters = 64
/** As many of the longest ids as fit one part of every vendor; atAll mentions more people. */
const maxMentions = 50

const severities: Record<Language, Record<Severity, string>> = {
  en: { critical: 'Critical', warning: 'Warning', info: 'Info', resolved: 'Resolved' },
  zh: { critical: '严重', warning: '警告', info: '通知', resolved: '已恢复' },
}
const everyone: Record<Language, string> = { en: '@everyone', zh: '@所有人' }
const shortened: Record<Language, string> = { en: '… (shortened: too long for a chat)', zh: '…（内容过长，已截断）' }

/** Whom a vendor can mention. */
export interface Pings {
  readonly person: (userId: string) => boolean
  readonly everyone: boolean
  /** The displayed form of a name, for a vendor that identifies people by it. */
  readonly shownName?: (name: string) => string
}

export function headingOf({ title, severity }: ChatMessage, language: Language): string {
  return `[${severities[language][severity]}] ${onOneLine(title, maxTitleCharacters)}`.trim()
}

/** The mentions, then the text, so that the first part contains the mentions. */
export function linesOf(message: ChatMessage, to: Recipient, pings: Pings): Line[] {
  const mentioned = mentionSpans(to, pings)
  const text = parsePortableText(message.text)
  return mentioned.length === 0 ? text : [{ bullet: false, spans: mentioned }, ...text]
}

export const shortenedLine = (language: Language): Line => ({
  bullet: false,
  spans: [plain(shortened[language])],
})

function mentionSpans({ mentions, atAll, language }: Recipient, pings: Pings): Span[] {
  if (atAll && pings.everyone) return [{ kind: 'everyone' }]
  const people = [...new Map(mentions.map((mention) => [mention.userId, mention])).values()]
  const names = new UniqueNames(pings.shownName)
  const mentioned: Span[] = people.slice(0, maxMentions).map(({ userId, remark }) => {
    const name = names.of(onOneLine(userId, maxNameCharacters), onOneLine(remark ?? '', maxNameCharacters))
    return pings.person(userId) && !isReserved(userId) ? { kind: 'mention', userId, name } : plain(`@${name}`)
  })
  if (people.length > maxMentions) mentioned.push(plain(`+${people.length - maxMentions}`))
  if (atAll) mentioned.unshift(plain(everyone[language]))
  return mentioned.flatMap((span, index) => (index === 0 ? [span] : [plain(' '), span]))
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

const plain = (text: string): Span => ({ kind: 'text', text, bold: false })
