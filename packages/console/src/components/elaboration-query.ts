/** The longest text that the server explains. */
const maxText = 16_384

/** A code as it stands in an error (`SYS.1001`), or any other text. */
export const elaborationQuery = (text: string) =>
  /^[A-Za-z]+\.\d+$/.test(text) ? { code: text } : { regex: text.slice(0, maxText) }
