import { headingId } from './heading-id.ts'

/** The part of Markdown that the documents in docs/ use. */
export type Inline =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'code'; readonly text: string }
  | { readonly kind: 'strong' | 'emphasis'; readonly content: readonly Inline[] }
  | { readonly kind: 'link'; readonly target: string; readonly content: readonly Inline[] }
  | { readonly kind: 'break' }

export type Block =
  | { readonly kind: 'heading'; readonly level: number; readonly id: string; readonly content: readonly Inline[] }
  | { readonly kind: 'paragraph'; readonly content: readonly Inline[] }
  | { readonly kind: 'code'; readonly text: string }
  | { readonly kind: 'list'; readonly isOrdered: boolean; readonly items: readonly (readonly Block[])[] }
  | { readonly kind: 'table'; readonly header: readonly Cell[]; readonly rows: readonly (readonly Cell[])[] }

type Cell = readonly Inline[]

const fence = /^\s*```/
const heading = /^(#{1,6}) (.+)$/
const marker = /^(\s*)([-*]|\d+\.) +/
const separator = /^\|[\s:|-]+\|$/
/** Images are not part of the console. */
const image = /^\s*(!\[[^\]]*\]\([^)]*\)|<img [^>]*>)\s*$/

export function parseMarkdown(text: string): Block[] {
  const lines = text.split('\n')
  const blocks: Block[] = []
  let at = 0
  /** The following lines as long as the condition holds. */
  const take = (isPart: (line: string) => boolean): string[] => {
    const start = at
    while (at < lines.length && isPart(lines[at] ?? '')) at++
    return lines.slice(start, at)
  }
  while (at < lines.length) {
    const line = lines[at] ?? ''
    const [, marks = '', title = ''] = heading.exec(line) ?? []
    if (line.trim() === '' || image.test(line)) at++
    else if (fence.test(line)) {
      at++
      blocks.push({ kind: 'code', text: take((one) => !fence.test(one)).join('\n') })
      at++
    } else if (title !== '') {
      at++
      blocks.push({ kind: 'heading', level: marks.length, id: headingId(title), content: parseInline(title) })
    } else if (line.startsWith('|') && separator.test(lines[at + 1] ?? '')) {
      const [header = [], , ...rows] = take((one) => one.startsWith('|')).map(cellsOf)
      blocks.push({ kind: 'table', header, rows })
    } else if (marker.test(line)) blocks.push(parseList())
    else blocks.push({ kind: 'paragraph', content: parseInline(takeParagraph().join(' ')) })
  }
  return blocks

  function takeParagraph(): string[] {
    const [first = ''] = lines.slice(at++)
    const isStart = (line: string): boolean =>
      line.trim() === '' || [fence, heading, marker, image].some((start) => start.test(line)) || line.startsWith('|')
    return [first, ...take((line) => !isStart(line))].map((line) => line.trim())
  }

  /** Lines of an item are indented to its text; the lines of a paragraph need not be. */
  function parseList(): Block {
    const [, indent = '', sign = ''] = marker.exec(lines[at] ?? '') ?? []
    const items: Block[][] = []
    while (marker.exec(lines[at] ?? '')?.[1] === indent) {
      const width = marker.exec(lines[at] ?? '')?.[0].length ?? 0
      const isInner = (line: string): boolean => line.startsWith(' '.repeat(width))
      const item = [(lines[at] ?? '').slice(width)]
      at++
      item.push(...take((line) => isInner(line) || (line.trim() !== '' && !marker.test(line))))
      while ((lines[at] ?? '').trim() === '' && isInner(lines[at + 1] ?? ''))
        item.push(...take((line) => line.trim() === ''), ...take(isInner))
      items.push(parseMarkdown(item.map((line) => (isInner(line) ? line.slice(width) : line)).join('\n')))
    }
    return { kind: 'list', isOrdered: /\d/.test(sign), items }
  }
}

const cellsOf = (line: string): Cell[] =>
  line
    .trim()
    .replace(/^\||\|$/g, '')
    .split(/(?<!\\)\|/)
    .map((cell) => parseInline(cell.trim().replaceAll('\\|', '|')))

const inline =
  /`([^`]+)`|!\[[^\]]*\]\([^)]*\)|\[((?:[^\]`]|`[^`]*`)+)\]\(([^)\s]+)\)|\*\*(.+?)\*\*|\*([^*\s][^*]*)\*|<(https?:[^>\s]+)>|<br>/g

export function parseInline(text: string): Inline[] {
  const found: Inline[] = []
  let end = 0
  const addText = (until: number): void => {
    if (until > end) found.push({ kind: 'text', text: text.slice(end, until) })
  }
  for (const match of text.matchAll(inline)) {
    const [whole, code, label, target, strong, emphasis, address] = match
    addText(match.index)
    end = match.index + whole.length
    if (code !== undefined) found.push({ kind: 'code', text: code })
    else if (label !== undefined && target !== undefined)
      found.push({ kind: 'link', target, content: parseInline(label) })
    else if (strong !== undefined) found.push({ kind: 'strong', content: parseInline(strong) })
    else if (emphasis !== undefined) found.push({ kind: 'emphasis', content: parseInline(emphasis) })
    else if (address !== undefined)
      found.push({ kind: 'link', target: address, content: [{ kind: 'text', text: address }] })
    else if (whole === '<br>') found.push({ kind: 'break' })
  }
  addText(text.length)
  return found
}
