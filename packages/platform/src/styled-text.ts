import { replaceEscapeSequences } from './escape-sequences.ts'
import { plainText } from './plain-text.ts'

const reset = '\u001b[0m'
/** Reset, bold, italic, underlined, inverse, and their ends. Not concealed, which hides text. */
const styles = new Set([0, 1, 3, 4, 7, 22, 23, 24, 27])
const extendedColours = new Set([38, 48])

const isColour = (code: number): boolean =>
  (code >= 30 && code <= 37) ||
  (code >= 39 && code <= 47) ||
  code === 49 ||
  (code >= 90 && code <= 97) ||
  (code >= 100 && code <= 107)

const isByte = (value: number): boolean => Number.isInteger(value) && value >= 0 && value <= 255

/** How many values follow 38 or 48: `5;n` or `2;r;g;b`. */
const lengthOfColour = (kind: number | undefined): number => (kind === 5 ? 2 : kind === 2 ? 4 : 0)

/** The commands of one sequence that are kept; that of a colour may have values. */
function keptCommands(parameters: string): number[][] {
  const codes = parameters.split(';').map(Number)
  const kept: number[][] = []
  for (let at = 0; at < codes.length; at++) {
    const code = codes[at] ?? 0
    if (extendedColours.has(code)) {
      const length = lengthOfColour(codes[at + 1])
      const values = codes.slice(at + 1, at + 1 + length)
      if (length > 0 && values.length === length && values.every(isByte)) kept.push([code, ...values])
      at += length
    } else if (styles.has(code) || isColour(code)) kept.push([code])
  }
  return kept
}

/**
 * One line of a program's output that is safe to print: of its escape sequences only those of colours and text styles
 * (SGR) are kept, and they end with the line.
 */
export function styledText(line: string): string {
  let text = ''
  let from = 0
  let isStyled = false
  replaceEscapeSequences(line, (sequence, at) => {
    text += plainText(line.slice(from, at))
    from = at + sequence.length
    const [, parameters] = /^\u001b\[([\d;]*)m$/.exec(sequence) ?? []
    const commands = parameters === undefined ? [] : keptCommands(parameters)
    if (commands.length > 0) {
      text += `\u001b[${commands.flat().join(';')}m`
      isStyled = commands.at(-1)?.[0] !== 0
    }
    return ''
  })
  return `${text}${plainText(line.slice(from))}${isStyled ? reset : ''}`
}
