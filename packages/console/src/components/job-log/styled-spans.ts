import { paletteColour, type Rgb, rgb } from './terminal-colours.ts'

export interface TextStyle {
  readonly colour?: Rgb | undefined
  readonly background?: Rgb | undefined
  readonly isBold?: boolean
  readonly isItalic?: boolean
  readonly isUnderlined?: boolean
  readonly isInverse?: boolean
}

/** A part of a line in one style. */
export interface Span {
  readonly text: string
  readonly style: TextStyle
}

const plain: TextStyle = {}

/** The same for styles that look the same. */
export function styleKey({ colour, background, isBold, isItalic, isUnderlined, isInverse }: TextStyle): string {
  const flags = [isBold, isItalic, isUnderlined, isInverse].map((isOn) => (isOn ? 1 : 0))
  return [colour ?? '', background ?? '', ...flags].join()
}

/** The server removes all other escape sequences. */
const styleSequence = /\u001b\[([\d;]*)m/g

export const plainLine = (line: string): string => line.replaceAll(styleSequence, '')

/** Splits a line at its escape sequences of colours and text styles (SGR). */
export function styledSpans(line: string): Span[] {
  const spans: Span[] = []
  let style = plain
  let from = 0
  for (const match of line.matchAll(styleSequence)) {
    add(line.slice(from, match.index), style)
    style = changedStyle(style, match[1] ?? '')
    from = match.index + match[0].length
  }
  add(line.slice(from), style)
  return spans

  /** Programs often repeat the same style for each word. */
  function add(text: string, current: TextStyle): void {
    const last = spans.at(-1)
    if (text === '') return
    if (last && styleKey(last.style) === styleKey(current))
      spans[spans.length - 1] = { ...last, text: last.text + text }
    else spans.push({ text, style: current })
  }
}

function changedStyle(before: TextStyle, parameters: string): TextStyle {
  const codes = parameters.split(';').map(Number)
  let style = before
  for (let at = 0; at < codes.length; at++) {
    const code = codes[at] ?? 0
    if (code === 38 || code === 48) {
      const { colour, length } = extendedColour(codes.slice(at + 1))
      style = { ...style, [code === 38 ? 'colour' : 'background']: colour }
      at += length
    } else style = code === 0 ? plain : { ...style, ...changeOf(code) }
  }
  return style
}

/** `5;n` or `2;r;g;b`. */
function extendedColour([kind, ...values]: readonly number[]): { colour: Rgb | undefined; length: number } {
  const [first = 0, green = 0, blue = 0] = values
  if (kind === 5) return { colour: paletteColour(first), length: 2 }
  if (kind === 2) return { colour: rgb(first, green, blue), length: 4 }
  return { colour: undefined, length: 0 }
}

const changes: Readonly<Record<number, TextStyle>> = {
  1: { isBold: true },
  3: { isItalic: true },
  4: { isUnderlined: true },
  7: { isInverse: true },
  22: { isBold: false },
  23: { isItalic: false },
  24: { isUnderlined: false },
  27: { isInverse: false },
  39: { colour: undefined },
  49: { background: undefined },
}

function changeOf(code: number): TextStyle {
  if (code >= 30 && code <= 37) return { colour: paletteColour(code - 30) }
  if (code >= 40 && code <= 47) return { background: paletteColour(code - 40) }
  if (code >= 90 && code <= 97) return { colour: paletteColour(code - 90 + 8) }
  if (code >= 100 && code <= 107) return { background: paletteColour(code - 100 + 8) }
  return changes[code] ?? plain
}
