import { safeUrl } from './safe-url.ts'

export type Span =
  | { readonly kind: 'text'; readonly text: string; readonly bold: boolean }
  | { readonly kind: 'link'; readonly text: string; readonly bold: boolean; readonly url: string }
  | { readonly kind: 'mention'; readonly userId: string; readonly name: string }
  | { readonly kind: 'everyone' }

export const plainSpan = (text: string): Span => ({ kind: 'text', text, bold: false })

/** A line without spans is the gap between two paragraphs. */
export interface Line {
  readonly bullet: boolean
  readonly spans: readonly Span[]
}

// bounded, so that a text with many brackets is parsed in linear time
const token =
  /\\(?<escaped>[!-/:-@[-`{-~])|(?<bold>\*\*)|\[(?<label>(?:\\.|[^\\[\]]){1,500})\]\((?<target>https?:\/\/[^\s()<>]{1,2000})\)|(?<bare>\bhttps?:\/\/[^\s<>"'`\\*]{1,2000}[^\s<>"'`\\*.,;:!?)\]}，。；：！？）])/giu

/** Paragraphs, line breaks, `- ` lists, **bold**, links and backslash escapes; anything else is text. */
export function parsePortableText(text: string): Line[] {
  const lines: Line[] = []
  for (const rawLine of printable(text).split('\n')) {
    const trimmed = rawLine.trim()
    const bullet = /^[-*] /.test(trimmed)
    const spans = parseSpans(bullet ? trimmed.slice(2).trimStart() : trimmed)
    const afterGap = lines.at(-1)?.spans.length === 0
    if (spans.length > 0 || (lines.length > 0 && !afterGap)) lines.push({ bullet, spans })
  }
  if (lines.at(-1)?.spans.length === 0) lines.pop()
  return lines
}

/** Escapes a label or annotation so that it is literal in the text of a message: no bold, no link, no list. */
export function escapeMarkdown(text: string): string {
  return text.replace(/[\\*[\]]|^(\s*)-(?= )/gm, (found, space: string | undefined) =>
    space === undefined ? `\\${found}` : `${space}\\-`,
  )
}

/** One line without characters that control a terminal, a renderer or the text direction. */
export function onOneLine(text: string, maxCharacters: number): string {
  const characters = Array.from(printable(text).replace(/\s+/g, ' ').trim())
  return characters.length <= maxCharacters
    ? characters.join('')
    : `${characters.slice(0, maxCharacters - 1).join('')}…`
}

function printable(text: string): string {
  return text
    .toWellFormed()
    .replace(/\r\n?|[\u2028\u2029]/g, '\n')
    .replace(/\t/g, ' ')
    .replace(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g, '')
}

function parseSpans(line: string): Span[] {
  const pairs = Math.floor(Array.from(line.matchAll(token)).filter((match) => match.groups?.bold).length / 2)
  const spans: Span[] = []
  let markers = 0
  let read = 0
  const isBold = () => markers % 2 === 1
  const addText = (text: string) => {
    const last = spans.at(-1)
    if (last?.kind === 'text' && last.bold === isBold()) spans[spans.length - 1] = { ...last, text: last.text + text }
    else if (text !== '') spans.push({ kind: 'text', text, bold: isBold() })
  }
  for (const match of line.matchAll(token)) {
    addText(line.slice(read, match.index))
    read = match.index + match[0].length
    const { escaped, bold, label, target, bare } = match.groups ?? {}
    const url = safeUrl(target ?? bare ?? '')
    if (escaped !== undefined) addText(escaped)
    // a marker without a partner is text
    else if (bold !== undefined && markers < pairs * 2) markers++
    else if (url !== undefined) {
      spans.push({ kind: 'link', text: label === undefined ? match[0] : unescaped(label), bold: isBold(), url })
    } else addText(label === undefined ? match[0] : unescaped(label))
  }
  addText(line.slice(read))
  return spans
}

const unescaped = (label: string): string => label.replace(/\\([!-/:-@[-`{-~])/g, '$1')
