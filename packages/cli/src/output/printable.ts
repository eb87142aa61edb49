const steering = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/gu

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`

/** What comes from elsewhere may not move the cursor, ring the bell or name the window. */
export const printable = (text: string): string =>
  text.replace(steering, (character) => (character === '\t' ? ' ' : escaped(character)))

/** The same for text of several lines. */
export const printableLines = (text: string): string => text.split(/\r?\n/).map(printable).join('\n')

/** JSON that means the same: it leaves some of these characters as they are. */
export const printableJson = (value: unknown, indent?: number): string =>
  JSON.stringify(value, null, indent).replace(steering, (character) => (character === '\n' ? '\n' : escaped(character)))
