const maxLength = 255

/** What vendors write where nothing was filled in. */
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

/** What a machine tells about itself, without characters that are no text; null when it says nothing. */
export function toldValue(text: string): string | null {
  const cleaned = toldText(text)
  return cleaned === null || isPlaceholder(cleaned) ? null : cleaned
}

/** The same of what may be any word. */
export const toldText = (text: string): string | null =>
  text
    .replaceAll(/[\p{C}\p{Zl}\p{Zp}\ufffd]/gu, '')
    .trim()
    .slice(0, maxLength) || null

const isPlaceholder = (text: string): boolean =>
  placeholders.has(text.toLowerCase().replaceAll(/\s+/g, ' ')) || /^[0x.\- ]+$/i.test(text)
