import { hash, randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { ApiError } from '@wharf/platform/api-error.ts'
import { FairQueue, type Waiter } from '@wharf/platform/fair-queue.ts'

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

const tooManySignIns = (): ApiError =>
  new ApiError('SYS.1010', 'too many sign-ins at once; try again shortly', { retryAfterSeconds: 5 })

/** One for the process, as there is one thread pool. */
const queue = new FairQueue({
  // half of the pool at most, so that files and DNS work during a burst of logins; 64 MiB at the default cost
  running: Math.max(1, Math.min(2, Math.floor(poolThreads / 2))),
  maxWaiting: 1000,
  waitMs: 15_000,
  tooMany: tooManySignIns,
  tooLate: tooManySignIns,
})

/** Of one share; a hash takes some 0.2 s, so a full share waits for ten seconds. */
const maxWaiting = 100

/** The client that a hash is computed for. Its share is its network, or its user once it is signed in, and then preferred. */
export type HashClient = Omit<Waiter, 'maxWaiting'>

/** For hashes of the server itself. */
const server: HashClient = { isPreferred: true, share: 'server' }

/**
 * The stored form `scrypt$N$r$p$salt$key`, base64url. Hashed is the lower-case hex SHA-512 of the password, not the
 * password, because a client may send either at login, and either when it sets one. A text with the form of such a hash has a
 * second key, because it may be a password.
 */
export async function hashPassword(
  password: string,
  cost: ScryptCost = defaultCost,
  client: HashClient = server,
): Promise<string> {
  const salt = randomBytes(16)
  const keys = await queue.run({ ...client, maxWaiting }, async () => {
    const derived: Buffer[] = []
    for (const form of formsOf(password)) derived.push(await derive(form, salt, cost))
    return derived
  })
  return ['scrypt', cost.N, cost.r, cost.p, ...[salt, ...keys].map((bytes) => bytes.toString('base64url'))].join('$')
}

export interface VerifyOptions {
  readonly client?: HashClient
  /**
   * Runs after the wait in the queue; an exception rejects. It re-checks whether the source is blocked, because concurrent
   * guesses are all queued before the first one fails.
   */
  readonly beforeHash?: () => void
}

/**
 * `given` is the password or its hex SHA-512. Without `stored` (no such account) it takes as long and is false.
 * `cost` is what an account would have been hashed at.
 */
export async function verifyPassword(
  stored: string | undefined,
  given: string,
  { client = server, beforeHash = () => {}, cost = defaultCost }: VerifyOptions & { cost?: ScryptCost } = {},
): Promise<boolean> {
  const known = stored === undefined ? undefined : parseStored(stored)
  const { salt, keys, ...checked } = known ?? { ...unknownUser, cost }
  return queue.run({ ...client, maxWaiting }, async () => {
    // by then the caller before has counted its failure
    await nextTurn()
    beforeHash()
    for (const form of formsOf(given)) {
      const derived = await derive(form, salt, checked.cost)
      if (keys.some((key) => timingSafeEqual(derived, key))) return known !== undefined
    }
    return false
  })
}

/** 128 hex digits are most likely the hash, but may be a password. */
const formsOf = (text: string): string[] => (/^[0-9a-f]{128}$/.test(text) ? [text, sha512(text)] : [sha512(text)])

const keyBytes = 32
const unknownUser = { salt: randomBytes(16), keys: [randomBytes(keyBytes)] }

const sha512 = (text: string): string => hash('sha512', text, 'hex')

const storedForm = /^scrypt\$(\d{1,7})\$(\d{1,2})\$(\d{1,2})\$([\w-]{22,})\$([\w-]{43})(?:\$([\w-]{43}))?$/

function parseStored(stored: string): (typeof unknownUser & { cost: ScryptCost }) | undefined {
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

/** Hashes at one cost for the whole server. */
export interface Passwords {
  hash(password: string, client?: HashClient): Promise<string>
  verify(stored: string | undefined, given: string, options?: VerifyOptions): Promise<boolean>
}

export function makePasswords(cost: ScryptCost = defaultCost): Passwords {
  return {
    hash: (password, client) => hashPassword(password, cost, client),
    verify: (stored, given, options) => verifyPassword(stored, given, { ...options, cost }),
  }
}
