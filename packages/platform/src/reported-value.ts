const maxLength = 255

/** Placeholders of vendors. */
const placeholders = new Set([
  '0',
  '0123456789',
  '(none)',
  '123456789',
  '1234567890',
  'base board serial number',
  'chassis serial number',
  'default string',
  'empty',
  'invalid',
  'n/a',
  'na',
  'no serial number',
  'none',
  'not applicable',
  'not available',
  'not specified',
  'null',
  'o.e.m.',
  'oem',
  'product name',
  'serial number',
  'system manufacturer',
  'system product name',
  'system serial number',
  'tbd',
  'to be filled by o.e.m',
  'to be filled by o.e.m.',
  'to be filled by o.e.m. by more string',
  'to be filled by oem',
  'undefined',
  'unknown',
])

/** A value that a machine reports about itself, without control characters; null for an empty value or a placeholder. */
export function reportedValue(text: string): string | null {
  const cleaned = reportedText(text)
  return cleaned === null || isPlaceholder(cleaned) ? null : cleaned
}

/** The same, but accepts placeholders. */
export const reportedText = (text: string): string | null =>
  text
    .replaceAll(/[\p{C}\p{Zl}\p{Zp}\ufffd]/gu, '')
    .trim()
    .slice(0, maxLength) || null

const isPlaceholder = (text: string): boolean =>
  placeholders.has(text.toLowerCase().replaceAll(/\s+/g, ' ')) || /^[0x.\- ]+$/i.test(text)
