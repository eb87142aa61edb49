/** What fits into one packet of a common network, beside its headers and a question. */
const maxPartBytes = 1200

/** Cuts a list so that each part fits into one message. */
export function inParts<T>(items: readonly T[], bytesOf: (item: T) => number): T[][] {
  const parts: T[][] = []
  let left = 0
  for (const item of items) {
    const bytes = bytesOf(item)
    if (parts.length === 0 || bytes > left) {
      parts.push([])
      left = maxPartBytes
    }
    parts.at(-1)?.push(item)
    left -= bytes
  }
  return parts
}
