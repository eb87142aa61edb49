// For vendors whose markup has no escapes: a character that would be read as markup becomes one that looks like it.

/** Tags (`<font>`, `<at>`) and mentions (`<@id>`) lose their bracket; a comparison such as a < b keeps it. */
export const withoutTags = (text: string): string => text.replace(/<(?=[@a-z/!?#])/gi, '＜')

/** Stars of bold and the like; one between blanks, as in a * b, means nothing and stays. */
export const withoutStars = (text: string): string => text.replace(/\*(?=\S)|(?<=\S)\*/g, '∗')

/** Keeps a character at the beginning of a line from making it a heading or a quotation. */
export const guardedStart = (line: string, markup: RegExp): string => (markup.test(line) ? `\u200b${line}` : line)

/** Markers of bold and the like do not work around blanks, and the blanks are wanted outside. */
export function wrapped(marker: string, text: string): string {
  const inner = text.trim()
  if (inner === '') return text
  const start = text.indexOf(inner)
  return `${text.slice(0, start)}${marker}${inner}${marker}${text.slice(start + inner.length)}`
}
