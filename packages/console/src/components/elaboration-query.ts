/** The server rejects longer texts. */
const maxText = 16_384

/** Searches by code (`SYS.1001`), or by text. */
export const elaborationQuery = (text: string) =>
  /^[A-Za-z]+\.\d+$/.test(text) ? { code: text } : { regex: text.slice(0, maxText) }
