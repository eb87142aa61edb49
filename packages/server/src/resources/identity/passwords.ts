import { hash, randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { ApiError } from '@wharf/platform/api-error.ts'
import { ClientGone, type HashClient, HashQueue, HashQueueFull } from './hash-queue.ts'

/** scrypt's parameters under their usual names. A hash takes 128·N·r bytes of memory while it runs. */
export interface ScryptCost {
  N: number
  r: number
  p: number
}

/** OWASP's recommendation for 32 MiB a hash. */
const defaultCost: ScryptCost = { N: 2 ** 15, r: 8, p: 3 }

/** Of libuv; the variable is the one that it reads itself. */
const poolThreads = Number(process.env.UV_THREADPOOL_SIZE) || 4

/** One for the process, as there is one thread pool. A hash takes some 0.2 s, so a full share waits for ten seconds. */
const queue = new HashQueue({
  // half of the pool at most, so files and DNS go on during a burst of logins; 64 MiB at the default cost
  atOnce: Math.max(1, Math.min(2, Math.floor(poolThreads / 2))),
  maxPerShare: 100,
  maxWaiting: 1000,
  maxWaitMs: 15_000,
})

/** What the server hashes for itself. */
const ourselves: HashClient = { isSignedIn: true, share: 'server' }

/**
 * The stored form `scrypt$N$r$p$salt$key`, base64url. Hashed is the lower-case hex SHA-512 of the password, not the
 * password, because a client may send either at login, and either when it sets one. What looks like such a hash has a
 * second key, as it may be somebody's password.
 */
export async function hashPassword(
  password: string,
  cost: ScryptCost = defaultCost,
  client: HashClient = ourselves,
): Promise<string> {
  const salt = randomBytes(16)
  const keys = await queue.run(client, async () => {
    const derived: Buffer[] = []
    for (const form of formsOf(password)) derived.push(await derive(form, salt, cost))
    return derived
  })
  return ['scrypt', cost.N, cost.r, cost.p, ...[salt, ...keys].map((bytes) => bytes.toString('base64url'))].join('$')
}

export interface Verifying {
  readonly client?: HashClient
  /**
   * Runs after the wait in the queue and may throw, which rejects: the place to check again whether the source is
   * blocked, because guesses sent all at once have all been let in before the first one failed.
   */
  readonly whenItsTurn?: () => void
}

/**
 * `given` is the password or its hex SHA-512. Without `stored` (no such account) it takes as long and is false.
 * `cost` is what an account would have been hashed at.
 */
export async function verifyPassword(
  stored: string | undefined,
  given: string,
  { client = ourselves, whenItsTurn = () => {}, cost = defaultCost }: Verifying & { cost?: ScryptCost } = {},
): Promise<boolean> {
  const known = stored === undefined ? undefined : parseStored(stored)
  const { salt, keys, ...checked } = known ?? { ...nobody, cost }
  return queue.run(client, async () => {
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

/** Passwords as the services use them, at one cost for the whole server. */
export interface Passwords {
  hash(password: string, client?: HashClient): Promise<string>
  verify(stored: string | undefined, given: string, verifying?: Verifying): Promise<boolean>
}

export function makePasswords(cost: ScryptCost = defaultCost): Passwords {
  return {
    hash: (password, client) => hashPassword(password, cost, client).catch(refuse),
    verify: (stored, given, verifying) => verifyPassword(stored, given, { ...verifying, cost }).catch(refuse),
  }
}

function refuse(cause: unknown): never {
  if (cause instanceof HashQueueFull)
    throw new ApiError('SYS.1010', 'too many sign-ins at once; try again shortly', { cause, retryAfterSeconds: 5 })
  if (cause instanceof ClientGone) throw new ApiError('SYS.1010', cause.message, { cause })
  throw cause
}
