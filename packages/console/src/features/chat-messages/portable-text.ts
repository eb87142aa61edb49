export interface Span {
  readonly text: string
  readonly isBold: boolean
  readonly url?: string
}

/** A line without spans is the gap between two paragraphs. */
export interface Line {
  readonly isBullet: boolean
  readonly spans: readonly Span[]
}

const token =
  /\\(?<escaped>[!-/:-@[-`{-~])|(?<bold>\*\*)|\[(?<label>(?:\\.|[^\\[\]]){1,500})\]\((?<target>https?:\/\/[^\s()<>]{1,2000})\)|(?<bare>\bhttps?:\/\/[^\s<>"'`\\*]{1,2000}[^\s<>"'`\\*.,;:!?)\]}，。；：！？）])/giu

/** Parses the Markdown subset that all vendors receive: paragraphs, lists, bold, links and escapes. */
export function readLines(text: string): Line[] {
  const lines: Line[] = []
  for (const written of text
    .replaceAll(/\r\n?/g, '\n')
    .split('\n')
    .map((line) => line.trim())) {
    const isBullet = /^[-*] /.test(written)
    const spans = readSpans(isBullet ? written.slice(2).trimStart() : written)
    const follows = lines.length > 0 && lines.at(-1)?.spans.length !== 0
    if (spans.length > 0 || follows) lines.push({ isBullet, spans })
  }
  if (lines.at(-1)?.spans.length === 0) lines.pop()
  return lines
}

function readSpans(line: string): Span[] {
  const found = [...line.matchAll(token)]
  // an unmatched marker is plain text
  const markers = found.filter(({ groups }) => groups?.bold).length
  const paired = markers - (markers % 2)
  const spans: Span[] = []
  let seen = 0
  let read = 0
  const add = (text: string, url?: string): void => {
    const isBold = seen % 2 === 1
    const last = spans.at(-1)
    if (url !== undefined) spans.push({ text, isBold, url })
    else if (last && last.url === undefined && last.isBold === isBold)
      spans[spans.length - 1] = { isBold, text: last.text + text }
    else if (text !== '') spans.push({ text, isBold })
  }
  for (const match of found) {
    add(line.slice(read, match.index))
    read = match.index + match[0].length
    const { escaped, bold, label, target, bare } = match.groups ?? {}
    if (escaped !== undefined) add(escaped)
    else if (bold !== undefined && seen < paired) seen++
    else add(label?.replaceAll(/\\([!-/:-@[-`{-~])/g, '$1') ?? match[0], address(target ?? bare))
  }
  add(line.slice(read))
  return spans
}

/** User info in a URL could disguise its host. */
const address = (written = ''): string | undefined => {
  const url = URL.parse(written)
  return url !== null && url.username === '' && url.password === '' ? url.href : undefined
}
