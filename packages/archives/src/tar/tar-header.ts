export const tarBlockBytes = 512

/** The raw block before every entry; its meaning depends on the entry's extended headers too. */
export interface TarHeader {
  readonly type: string
  readonly size: number | undefined
  readonly name: Buffer
  readonly linkName: Buffer
  readonly prefix: Buffer
  /** ustar reads `prefix` as the start of the name; GNU keeps other things there; older ones have no prefix. */
  readonly dialect: 'ustar' | 'gnu' | 'old'
}

const ustarMagic = Buffer.from('ustar\0', 'latin1')
const gnuMagic = Buffer.from('ustar  \0', 'latin1')
const magicAt = 257

/** Undefined when the block is not a header: its checksum is wrong. */
export function parseTarHeader(block: Buffer): TarHeader | undefined {
  if (tarNumber(block.subarray(148, 156)) !== checksum(block)) return undefined
  return {
    type: block[156] === 0 ? '0' : String.fromCharCode(block[156] as number),
    size: tarNumber(block.subarray(124, 136)),
    name: block.subarray(0, 100),
    linkName: block.subarray(157, 257),
    prefix: block.subarray(345, 500),
    dialect: hasMagic(block, ustarMagic) ? 'ustar' : hasMagic(block, gnuMagic) ? 'gnu' : 'old',
  }
}

const hasMagic = (block: Buffer, magic: Buffer): boolean =>
  block.compare(magic, 0, magic.length, magicAt, magicAt + magic.length) === 0

/** The sum of all bytes, its own eight taken as spaces. */
function checksum(block: Buffer): number {
  let sum = 8 * 0x20
  for (let at = 0; at < 148; at += 1) sum += block[at] as number
  for (let at = 156; at < tarBlockBytes; at += 1) sum += block[at] as number
  return sum
}

/** Text up to the first NUL. */
export function tarText(field: Buffer): Buffer {
  const end = field.indexOf(0)
  return end === -1 ? field : field.subarray(0, end)
}

const blank = 0x20
const zero = 0x30

/**
 * Octal digits, spaces before and spaces or NULs after them; or GNU's binary form, first byte 0x80.
 * All NULs are zero. Everything else has been read differently by different programs: undefined.
 */
export function tarNumber(field: Buffer): number | undefined {
  if (field[0] === 0x80) return binaryNumber(field)
  let at = 0
  while (field[at] === blank) at += 1
  const first = at
  let value = 0
  for (let digit = digitAt(field, at); digit !== undefined; digit = digitAt(field, at)) {
    value = value * 8 + digit
    at += 1
  }
  const hasDigits = at > first
  while (field[at] === 0 || (hasDigits && field[at] === blank)) at += 1
  return at === field.length && (hasDigits || first === 0) ? value : undefined
}

function digitAt(field: Buffer, at: number): number | undefined {
  const digit = (field[at] ?? 0) - zero
  return digit >= 0 && digit < 8 ? digit : undefined
}

function binaryNumber(field: Buffer): number | undefined {
  let value = 0
  for (const byte of field.subarray(1)) value = value * 256 + byte
  return Number.isSafeInteger(value) ? value : undefined
}
