export const uuidPattern = '^[0-9a-f]{32}$'

const canonical = new RegExp(uuidPattern)

export const isUuid = (text: string): boolean => canonical.test(text)

/** A uuid with dashes or capitals in its canonical form; any other text unchanged. */
export function normalizeUuid(text: string): string {
  if (canonical.test(text)) return text
  const bare = text.replaceAll('-', '').toLowerCase()
  return canonical.test(bare) ? bare : text
}
