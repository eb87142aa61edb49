import type { ChatMessage, Language, Recipient, Severity } from './chat-platform.ts'
import { type Mentionable, mentionSpans } from './mentions.ts'
import { type Line, onOneLine, parsePortableText, plainSpan } from './portable-text.ts'

const maxTitleCharacters = 120
const severities: Record<Language, Record<Severity, string>> = {
  en: { critical: 'Critical', warning: 'Warning', info: 'Info', resolved: 'Resolved' },
  zh: { critical: '严重', warning: '警告', info: '通知', resolved: '已恢复' },
}
const shortened: Record<Language, string> = { en: '… (shortened: too long for a chat)', zh: '…（内容过长，已截断）' }

export function headingOf({ title, severity }: ChatMessage, language: Language): string {
  return `[${severities[language][severity]}] ${onOneLine(title, maxTitleCharacters)}`.trim()
}

/** The mentions, then the text, so that the first part contains the mentions. */
export function linesOf(message: ChatMessage, to: Recipient, mentionable: Mentionable): Line[] {
  const mentioned = mentionSpans(to, mentionable)
  const text = parsePortableText(message.text)
  return mentioned.length === 0 ? text : [{ bullet: false, spans: mentioned }, ...text]
}

export const shortenedLine = (language: Language): Line => ({
  bullet: false,
  spans: [plainSpan(shortened[language])],
})
