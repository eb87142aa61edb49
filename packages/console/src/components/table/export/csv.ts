/**
 * Spreadsheets run a cell that begins with one of these as a formula, and users of the API choose names. A leading apostrophe makes it a text.
 * https://owasp.org/www-community/attacks/CSV_Injection
 */
const formulaStart = /^[\s\u0000]*[=+\-@＝＋－＠]|^[\t\r\n]/

/** A plain number is not a formula. */
const plainNumber = /^-?\d+(\.\d+)?$/

function cellOf(text: string): string {
  const safe = formulaStart.test(text) && !plainNumber.test(text) ? `'${text}` : text
  return /[",\r\n]|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** Without it Excel reads a file as the system's code page. */
export const byteOrderMark = '\uFEFF'

/** One line as in RFC 4180. */
export const csvLine = (cells: readonly string[]): string => `${cells.map(cellOf).join(',')}\r\n`
