import { createHmac, timingSafeEqual } from 'node:crypto'

// RFC 6238 with the values that every authenticator app supports: SHA-1, 30 seconds, 6 digits
const stepMs = 30_000
const digits = 6
/** Steps before and after the current one: the clock of a phone, and the time to type. */
const drift = 1

export function codeAt(secret: Uint8Array, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', secret).update(counter).digest()
  const truncated = mac.readUInt32BE((mac.at(-1) ?? 0) & 0xf) & 0x7f_ff_ff_ff
  return String(truncated % 10 ** digits).padStart(digits, '0')
}

/** The step whose code this is; undefined for a code of no step that is accepted now. */
export function stepOf(secret: Uint8Array, code: string, now: number): number | undefined {
  if (!/^\d{6}$/.test(code)) return undefined
  const current = Math.floor(now / stepMs)
  const given = Buffer.from(code)
  for (let step = current - drift; step <= current + drift; step++)
    if (timingSafeEqual(Buffer.from(codeAt(secret, step)), given)) return step
  return undefined
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** RFC 4648, without padding. */
export const base32 = (bytes: Uint8Array): string =>
  [...bytes]
    .map((byte) => byte.toString(2).padStart(8, '0'))
    .join('')
    .replaceAll(/.{1,5}/g, (bits) => alphabet.charAt(Number.parseInt(bits.padEnd(5, '0'), 2)))
