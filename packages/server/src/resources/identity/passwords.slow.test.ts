import assert from 'node:assert/strict'
import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import { afterEach, beforeEach, mock, test } from 'node:test'
import { ApiError } from '@wharf/platform/api-error.ts'
import { anyCharacter } from '@wharf/testkit/any-character.ts'
import fc from 'fast-check'
import { LoginThrottle } from './login-throttle.ts'
import { hashPassword, type ScryptCost, verifyPassword } from './passwords.ts'

const cheap: ScryptCost = { N: 16, r: 1, p: 1 }
const sha512 = (text: string): string => crypto.createHash('sha512').update(text).digest('hex')

/** Records the calls of scrypt: the cost of every hash and how many ran concurrently. */
let costs: ScryptCost[] = []
let inFlight = 0
let mostInFlight = 0

beforeEach(() => {
  const real = crypto.scrypt
  costs = []
  mostInFlight = 0
  mock.method(crypto, 'scrypt', (...[text, salt, length, cost, done]: Parameters<typeof real>) => {
    const { N, r, p } = cost as unknown as ScryptCost
    costs.push({ N, r, p })
    mostInFlight = Math.max(mostInFlight, ++inFlight)
    real(text, salt, length, cost, (error, key) => {
      inFlight--
      done(error, key)
    })
  })
  syncBuiltinESMExports()
})

afterEach(() => {
  mock.restoreAll()
  syncBuiltinESMExports()
})

test('verifies the password in clear and its lower-case hex SHA-512', async () => {
  const stored = await hashPassword('pass wörd', cheap)
  assert.equal(await verifyPassword(stored, 'pass wörd'), true)
  assert.equal(await verifyPassword(stored, sha512('pass wörd')), true)
  assert.equal(await verifyPassword(stored, sha512('pass wörd').toUpperCase()), false)
  assert.equal(await verifyPassword(stored, 'pass word'), false)
  assert.equal(await verifyPassword(stored, ''), false)
})

test('any text is a password, to the last character', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: anyCharacter, maxLength: 40 }), async (text) => {
      const stored = await hashPassword(text, cheap)
      assert.equal(await verifyPassword(stored, text), true)
      assert.equal(await verifyPassword(stored, `${text} `), false)
    }),
  )
})

test('a password that is set as its hash verifies in clear and as the hash; so does one that only has the form of a hash', async () => {
  const password = sha512('something')
  const stored = await hashPassword(password, cheap)
  for (const given of ['something', password, sha512(password)])
    assert.equal(await verifyPassword(stored, given), true, given)
  for (const given of ['something else', sha512('something else'), password.toUpperCase(), sha512(sha512(password))])
    assert.equal(await verifyPassword(stored, given), false, given)
  const capitals = await hashPassword(password.toUpperCase(), cheap)
  assert.equal(await verifyPassword(capitals, 'something'), false)
  assert.equal(await verifyPassword(capitals, password.toUpperCase()), true)
})

test('a guess at a password that was set as its hash costs the same as any guess', async () => {
  const [plain, hashed] = [await hashPassword('right', cheap), await hashPassword(sha512('right'), cheap)]
  for (const given of ['wrong', sha512('wrong')]) {
    costs = []
    await verifyPassword(plain, given)
    const usual = costs
    costs = []
    await verifyPassword(hashed, given)
    assert.deepEqual(costs, usual)
  }
})

test('stores cost, salt and hash, another salt each time, and nothing of the password', async () => {
  const [one, two] = [await hashPassword('secret', cheap), await hashPassword('secret', cheap)]
  assert.match(one, /^scrypt\$16\$1\$1\$[\w-]{22}\$[\w-]{43}$/)
  assert.notEqual(one, two)
  const [, , , , salt = '', key] = one.split('$')
  const expected = crypto.scryptSync(sha512('secret'), Buffer.from(salt, 'base64url'), 32, cheap)
  assert.equal(key, expected.toString('base64url'))
})

test('does the same work for an account that does not exist', async () => {
  const stored = await hashPassword('right')
  const recommended = { N: 32768, r: 8, p: 3 }
  for (const given of ['wrong', sha512('wrong')]) {
    costs = []
    assert.equal(await verifyPassword(stored, given), false)
    const known = costs
    costs = []
    assert.equal(await verifyPassword(undefined, given), false)
    assert.deepEqual(costs, known)
    assert.deepEqual(known[0], recommended)
  }
})

test('a damaged record matches nothing and costs as much as no record', async () => {
  const stored = await hashPassword('right', cheap)
  for (const text of ['', stored.replace('$16$', '$17$'), stored.replace('$16$1$', '$8388608$99$')]) {
    costs = []
    assert.equal(await verifyPassword(text, 'right'), false)
    assert.deepEqual(costs, [{ N: 32768, r: 8, p: 3 }])
  }
})

test('limits concurrent hashes and runs all of them', async () => {
  const stored = await hashPassword('right', cheap)
  const answers = await Promise.all(
    Array.from({ length: 100 }, (_, n) => verifyPassword(stored, n % 2 === 0 ? 'right' : 'wrong')),
  )
  assert.deepEqual(
    answers,
    Array.from({ length: 100 }, (_, n) => n % 2 === 0),
  )
  assert.ok(mostInFlight >= 1 && mostInFlight <= 4, `${mostInFlight} at once`)
})

test('rejects hashes that would wait for minutes, and recovers', async () => {
  const stored = await hashPassword('right', cheap)
  const results = await Promise.allSettled(Array.from({ length: 1100 }, () => verifyPassword(stored, 'right')))
  const refused = results.filter((result) => result.status === 'rejected')
  assert.ok(refused.length >= 998 && refused.length <= 999, 'a hundred wait, two run, and one may just have ended')
  assert.ok(refused.every(({ reason }) => reason instanceof ApiError && reason.code === 'SYS.1010'))
  assert.equal(await verifyPassword(stored, 'right'), true)
})

test('concurrent guesses do not exceed the limit', async () => {
  const stored = await hashPassword('right', cheap)
  const attempts = new LoginThrottle({ now: () => 1_000_000 })
  const refuseWhenBlocked = () => assert.equal(attempts.blockedForSeconds('192.0.2.1', 'admin'), 0, 'blocked')
  costs = []
  const guess = async (n: number) => {
    refuseWhenBlocked()
    if (!(await verifyPassword(stored, `guess ${n}`, { beforeHash: refuseWhenBlocked })))
      attempts.failed('192.0.2.1', 'admin')
  }
  const results = await Promise.allSettled(Array.from({ length: 200 }, (_, n) => guess(n)))
  assert.ok(costs.length >= 10 && costs.length <= 11, `${costs.length} guesses were checked`)
  assert.equal(results.filter(({ status }) => status === 'rejected').length, 200 - costs.length)
})
