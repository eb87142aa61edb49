export const controlCharacters = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/gu

export const escapedCharacter = (character: string): string =>
  `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`

/** Escapes control characters: untrusted text must not control the terminal. */
export const printable = (text: string): string =>
  // most text is ASCII, and the other pattern takes several times as long
  /^[ -~]*$/.test(text)
    ? text
    : text.replace(controlCharacters, (character) => (character === '\t' ? ' ' : escapedCharacter(character)))

/** The same for text with several lines. */
export const printableLines = (text: string): string => text.split(/\r?\n/).map(printable).join('\n')

/** Equivalent JSON; JSON.stringify leaves some control characters unescaped. */
export const printableJson = (value: unknown, indent?: number): string =>
  JSON.stringify(value, null, indent).replace(controlCharacters, (character) =>
    character === '\n' ? '\n' : escapedCharacter(character),
  )
