// For vendors whose markup has no escapes: a markup character is replaced by one that looks like it.

/** Tags (`<font>`, `<at>`) and mentions (`<@id>`) lose their bracket; a comparison such as a < b keeps it. */
export const withoutTags = (text: string): string => text.replace(/<(?=[@a-z/!?#])/gi, '＜')

/** Stars of bold text; one between spaces, as in a * b, is not markup and stays. */
export const withoutStars = (text: string): string => text.replace(/\*(?=\S)|(?<=\S)\*/g, '∗')

/** Prevents the first character of a line from making it a heading or a quotation. */
export const guardedStart = (line: string, markup: RegExp): string => (markup.test(line) ? `\u200b${line}` : line)

/** Markers do not work next to spaces, so the spaces stay outside. */
export function wrapped(marker: string, text: string): string {
  const inner = text.trim()
  if (inner === '') return text
  const start = text.indexOf(inner)
  return `${text.slice(0, start)}${marker}${inner}${marker}${text.slice(start + inner.length)}`
}
