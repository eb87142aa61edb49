import type { ChatMessage, Recipient } from './chat-platform.ts'
import type { Mentionable } from './mentions.ts'
import { headingOf, linesOf, shortenedLine } from './message-lines.ts'
import type { Line } from './portable-text.ts'
import { type Costs, splitLines } from './split-lines.ts'

/** A vendor accepts about twenty messages a minute; one alert must not use all of them. */
const maxParts = 4

export interface Part {
  readonly heading: string
  readonly lines: readonly Line[]
}

export interface Format extends Costs {
  readonly mentionable: Mentionable
  /** The space for lines in one request beside this heading. */
  capacity(heading: string): number
}

export function messageParts(message: ChatMessage, to: Recipient, format: Format): Part[] {
  const heading = headingOf(message, to.language)
  const parts = splitLines(linesOf(message, to, format.mentionable), {
    costs: format,
    capacity: format.capacity(`${heading} (${maxParts}/${maxParts})`),
    maxParts,
    shortened: shortenedLine(to.language),
  })
  return parts.map((lines, index) => ({
    heading: parts.length === 1 ? heading : `${heading} (${index + 1}/${parts.length})`,
    lines,
  }))
}
