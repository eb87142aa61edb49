/** RFC 1035, 2.3.4 */
const maxLabelBytes = 63
const maxNameBytes = 255

export const escapeLabel = (label: string): string => label.replace(/[.\\]/g, '\\$&')

export const unescapeLabel = (label: string): string => label.replace(/\\(.)/gs, '$1')

const labelsOf = (name: string): string[] =>
  name === '' ? [] : (name.match(/(?:\\.|[^.\\])+/gs) ?? []).map(unescapeLabel)

/** The wire format of a name, uncompressed. Throws when the name is too long. */
export function nameBytes(name: string): Buffer {
  const parts = labelsOf(name).map((label) => {
    const bytes = Buffer.from(label)
    if (bytes.length > maxLabelBytes) throw new RangeError('a label of a DNS name is too long')
    return Buffer.concat([Buffer.from([bytes.length]), bytes])
  })
  const whole = Buffer.concat([...parts, Buffer.from([0])])
  if (whole.length > maxNameBytes) throw new RangeError('a DNS name is too long')
  return whole
}

/** The longest prefix that fits, cut between characters. */
export function cutToBytes(text: string, maxBytes: number): string {
  let bytes = 0
  let cut = ''
  for (const character of text) {
    bytes += Buffer.byteLength(character)
    if (bytes > maxBytes) break
    cut += character
  }
  return cut
}

export const cutLabel = (text: string, reservedBytes = 0): string => cutToBytes(text, maxLabelBytes - reservedBytes)
