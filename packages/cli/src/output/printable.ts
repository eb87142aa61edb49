/** What comes from elsewhere may not move the cursor, ring the bell or name the window. */
export const printable = (text: string): string =>
  text.replace(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/gu, (character) =>
    character === '\t' ? ' ' : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

/** The same for text of several lines. */
export const printableLines = (text: string): string => text.split(/\r?\n/).map(printable).join('\n')
