import { codeAt } from '@wharf/server/resources/identity/second-factors/totp.ts'

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** The code that an authenticator app with this secret, in Base32, shows at a time. */
export function totpCode(secret: string, now = Date.now()): string {
  const bits = [...secret].map((letter) => alphabet.indexOf(letter).toString(2).padStart(5, '0')).join('')
  const bytes = bits.match(/.{8}/g)?.map((byte) => Number.parseInt(byte, 2)) ?? []
  return codeAt(Buffer.from(bytes), Math.floor(now / 30_000))
}
