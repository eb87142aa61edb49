import { hash, randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { ApiError } from '../platform/api-error.ts'

/** scrypt's parameters under their usual names. A hash takes 128·N·r bytes of memory while it runs. */
export interface ScryptCost {
  N: number
  r: number
  p: number
}

/** OWASP's recommendation for 32 MiB a hash. */
const defaultCost: ScryptCost = { N: 2 ** 15, r: 8, p: 3 }

/** Half of libuv's four threads, so files and DNS go on during a burst of logins; 64 MiB at the default cost. */
const maxHashesAtOnce = 2
const maxWaiting = 1000

/** So many logins wait for a hash that another would wait for minutes. */
export class HashQueueFull extends Error {
  override readonly name = 'HashQueueFull'
}

/**
 * The stored form `scrypt$N$r$p$salt$key`, base64url. Hashed is the lower-case hex SHA-512 of the password, not the
 * password, because a client may send either at login, and either when it sets one. What looks like such a hash has a
 * second key, as it may be somebody's password.
 */
export async function hashPassword(password: string, cost: ScryptCost = defaultCost): Promise<string> {
  const salt = randomBytes(16)
  const keys = await inTurn(async () => {
    const derived: Buffer[] = []
    for (const form of formsOf(password)) derived.push(await derive(form, salt, cost))
    return derived
  })
  return ['scrypt', cost.N, cost.r, cost.p, ...[salt, ...keys].map((bytes) => bytes.toString('base64url'))].join('$')
}

/**
 * `given` is the password or its hex SHA-512. Without `stored` (no such account) it takes as long and is false.
 * `cost` is what an account would have been hashed at.
 * `whenItsTurn` runs after the wait in the queue and may throw, which rejects: the place to ask again whether the
 * source is blocked, because guesses sent all at once have all been let in before the first one failed.
 */
export async function verifyPassword(
  stored: string | undefined,
  given: string,
  whenItsTurn: () => void = () => {},
  cost: ScryptCost = defaultCost,
): Promise<boolean> {
  const known = stored === undefined ? undefined : parseStored(stored)
  const { salt, keys, ...checked } = known ?? { ...nobody, cost }
  return inTurn(async () => {
    whenItsTurn()
    for (const form of formsOf(given)) {
      const derived = await derive(form, salt, checked.cost)
      if (keys.some((key) => timingSafeEqual(derived, key))) return known !== undefined
    }
    return false
  })
}

/** 128 hex digits are most likely the hash, but may be somebody's password. */
const formsOf = (text: string): string[] => (/^[0-9a-f]{128}$/.test(text) ? [text, sha512(text)] : [sha512(text)])

const keyBytes = 32
const nobody = { salt: randomBytes(16), keys: [randomBytes(keyBytes)] }

const sha512 = (text: string): string => hash('sha512', text, 'hex')

const storedForm = /^scrypt\$(\d{1,7})\$(\d{1,2})\$(\d{1,2})\$([\w-]{22,})\$([\w-]{43})(?:\$([\w-]{43}))?$/

function parseStored(stored: string): (typeof nobody & { cost: ScryptCost }) | undefined {
  const [, N, r, p, salt, key, second] = storedForm.exec(stored) ?? []
  const cost = { N: Number(N), r: Number(r), p: Number(p) }
  if (salt === undefined || key === undefined || !isUsable(cost)) return undefined
  const keys = [key, second].filter((text) => text !== undefined).map((text) => Buffer.from(text, 'base64url'))
  return { cost, salt: Buffer.from(salt, 'base64url'), keys }
}

/** What scrypt accepts, within 1 GiB. */
const isUsable = ({ N, r, p }: ScryptCost): boolean =>
  N > 1 && Number.isInteger(Math.log2(N)) && r > 0 && p > 0 && N * r <= 2 ** 23

function derive(text: string, salt: Buffer, { N, r, p }: ScryptCost): Promise<Buffer> {
  const maxmem = 128 * r * (N + p + 2)
  return new Promise((resolve, reject) => {
    scrypt(text, salt, keyBytes, { N, r, p, maxmem }, (error, key) => (error ? reject(error) : resolve(key)))
  })
}

/** One queue for the process, as there is one thread pool. */
const waiting: (() => void)[] = []
let running = 0

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running < maxHashesAtOnce) running++
  else if (waiting.length < maxWaiting) await new Promise<void>((resolve) => waiting.push(resolve))
  else throw new HashQueueFull('too many passwords wait to be checked')
  try {
    return await work()
  } finally {
    setImmediate(endTurn) // after the caller has counted the failure, so that the next in turn sees it
  }
}

/** Hands the place to the next in the queue, or frees it. */
function endTurn(): void {
  const next = waiting.shift()
  if (next) next()
  else running--
}

/** Passwords as the services use them, at one cost for the whole server. */
export interface Passwords {
  hash(password: string): Promise<string>
  verify(stored: string | undefined, given: string, whenItsTurn?: () => void): Promise<boolean>
}

export function makePasswords(cost: ScryptCost = defaultCost): Passwords {
  const orBusy = (error: unknown): never => {
    if (!(error instanceof HashQueueFull)) throw error
    throw new ApiError('SYS.1010', 'too many sign-ins at once; try again shortly', {
      cause: error,
      retryAfterSeconds: 5,
    })
  }
  return {
    hash: (password) => hashPassword(password, cost).catch(orBusy),
    verify: (stored, given, whenItsTurn) => verifyPassword(stored, given, whenItsTurn, cost).catch(orBusy),
  }
}
