const wide =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|[\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u
const zeroWidth = /^[\p{Mn}\p{Me}\p{Cf}]$/u

const columnsOf = (character: string): number => (zeroWidth.test(character) ? 0 : wide.test(character) ? 2 : 1)

/** The number of terminal columns. */
export function widthOf(text: string): number {
  // most text is ASCII
  if (/^[ -~]*$/.test(text)) return text.length
  let width = 0
  for (const character of text) width += columnsOf(character)
  return width
}

export const padded = (text: string, width: number): string => text + ' '.repeat(Math.max(0, width - widthOf(text)))

/** Shortened to this number of columns, with an ellipsis. */
export function shortened(text: string, width: number): string {
  if (widthOf(text) <= width) return text
  let result = ''
  let used = 0
  for (const character of text) {
    used += columnsOf(character)
    if (used > width - 1) break
    result += character
  }
  return `${result}…`
}
