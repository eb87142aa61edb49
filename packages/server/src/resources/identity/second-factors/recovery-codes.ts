import { randomBytes } from 'node:crypto'
import { sha256 } from '@wharf/platform/constant-time.ts'
import { base32 } from './totp.ts'

const count = 10
/** So many random bits that a plain hash cannot be reversed by guessing. */
const codeBytes = 10

const inGroups = (code: string): string => code.replaceAll(/.{4}(?=.)/g, '$&-')

/** As shown once: `abcd-efgh-ijkl-mnop`. */
export const newRecoveryCodes = (): string[] =>
  Array.from({ length: count }, () => inGroups(base32(randomBytes(codeBytes)).toLowerCase()))

/** However it was typed. */
export const recoveryCodeHash = (typed: string): string => sha256(typed.replaceAll(/[\s-]/g, '').toLowerCase())
