import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import fc from 'fast-check'
import { LoginThrottle, sourceNetwork } from './login-throttle.ts'

let now = 0
let attempts = new LoginThrottle({ now: () => now })

beforeEach(() => {
  now = Date.parse('2026-11-05T12:00:00Z')
  attempts = new LoginThrottle({ now: () => now })
})

const fail = (times: number, source: string, name: string): void => {
  for (let n = 0; n < times; n++) attempts.failed(source, name)
}

test('blocks a source for a name after ten failures in a minute', () => {
  fail(9, '192.0.2.1', 'admin')
  assert.equal(attempts.blockedForSeconds('192.0.2.1', 'admin'), 0)
  fail(1, '192.0.2.1', 'admin')
  assert.equal(attempts.blockedForSeconds('192.0.2.1', 'admin'), 60)
  now += 59_001
  assert.equal(attempts.blockedForSeconds('192.0.2.1', 'admin'), 1)
  now += 999
  assert.equal(attempts.blockedForSeconds('192.0.2.1', 'admin'), 0)
})

test('other sources with the right credentials, and other names, are not blocked', () => {
  fail(10, '192.0.2.1', 'admin')
  assert.equal(attempts.blockedForSeconds('192.0.2.2', 'admin'), 0)
  assert.equal(attempts.blockedForSeconds('192.0.2.1', 'operator'), 0)
})

test('the window slides: one more attempt is allowed when the oldest failure is a minute old', () => {
  for (let n = 0; n < 10; n++) {
    attempts.failed('192.0.2.1', 'admin')
    now += 5_000
  }
  assert.equal(attempts.blockedForSeconds('192.0.2.1', 'admin'), 10)
  now += 10_000
  assert.equal(attempts.blockedForSeconds('192.0.2.1', 'admin'), 0)
  attempts.failed('192.0.2.1', 'admin')
  assert.equal(attempts.blockedForSeconds('192.0.2.1', 'admin'), 5)
})

test('blocks a source for every name after a hundred failures', () => {
  for (let n = 0; n < 100; n++) attempts.failed('192.0.2.1', `name ${n}`)
  assert.equal(attempts.blockedForSeconds('192.0.2.1', 'never tried'), 60)
  assert.equal(attempts.blockedForSeconds('192.0.2.2', 'never tried'), 0)
})

test('success clears the pair and not the source', () => {
  fail(9, '192.0.2.1', 'mine')
  attempts.succeeded('192.0.2.1', 'mine')
  fail(9, '192.0.2.1', 'mine')
  assert.equal(attempts.blockedForSeconds('192.0.2.1', 'mine'), 0)
  for (let n = 0; n < 82; n++) {
    attempts.failed('192.0.2.1', `victim ${n}`)
    attempts.succeeded('192.0.2.1', 'mine')
  }
  assert.equal(attempts.blockedForSeconds('192.0.2.1', 'mine'), 60)
})

test('counts a whole /64 as one source', () => {
  for (let n = 0; n < 10; n++) attempts.failed(`2001:db8:0:1::${n.toString(16)}`, 'admin')
  assert.equal(attempts.blockedForSeconds('2001:db8:0:1:ffff:ffff:ffff:ffff', 'admin'), 60)
  assert.equal(attempts.blockedForSeconds('2001:db8:0:2::1', 'admin'), 0)
  fail(10, '::ffff:192.0.2.1', 'admin')
  assert.equal(attempts.blockedForSeconds('192.0.2.1', 'admin'), 60)
  assert.equal(attempts.blockedForSeconds('::ffff:192.0.2.2', 'admin'), 0)
})

test('finds the network of an address in any spelling', () => {
  const rows = [
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['::FFFF:c000:201', '192.0.2.1'],
    ['0:0:0:0:0:ffff:192.0.2.1', '192.0.2.1'],
    ['2001:db8::1', '2001:db8::/64'],
    ['2001:0DB8:0000:0000:1:2:3:4', '2001:db8::/64'],
    ['2001:db8:1:2:3::', '2001:db8:1:2::/64'],
    ['fe80::1%eth0', 'fe80::/64'],
    ['::1', '::/64'],
    ['::', '::/64'],
    ['1::1.2.3.4', '1::/64'],
    ['64:ff9b::1.2.3.4', '64:ff9b::/64'],
    ['', ''],
    ['not an address', 'not an address'],
  ] as const
  for (const [address, network] of rows) assert.equal(sourceNetwork(address), network, address)
})

test('all addresses of a /64 have one network, those of two /64s have two', () => {
  const long = (high: bigint, low: bigint): string =>
    ((high << 64n) | low)
      .toString(16)
      .padStart(32, '0')
      .replace(/(.{4})(?=.)/g, '$1:')
  const short = (address: string): string => new URL(`http://[${address}]`).hostname.slice(1, -1)
  const half = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n })
  const check = (high: bigint, other: bigint, one: bigint, two: bigint) => {
    assert.equal(sourceNetwork(long(high, one)), sourceNetwork(short(long(high, two))))
    assert.equal(sourceNetwork(long(high, one)) === sourceNetwork(long(other, two)), high === other)
  }
  fc.assert(
    fc.property(
      half.filter((high) => high !== 0n),
      half,
      half,
      half,
      check,
    ),
  )
})

test('limits what it stores and removes the source without a failure for longest first', () => {
  const source = (n: number): string => `10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`
  fail(10, '192.0.2.1', 'admin')
  for (let n = 0; n < 99_990; n++) attempts.failed(source(n), 'x')
  assert.equal(attempts.blockedForSeconds('192.0.2.1', 'admin'), 60)
  attempts.failed('192.0.2.1', 'another') // no longer quiet
  fail(10, '192.0.2.2', 'admin')
  for (let n = 0; n < 50_000; n++) attempts.failed(source(200_000 + n), 'x')
  assert.equal(attempts.blockedForSeconds('192.0.2.1', 'admin'), 60)
  assert.equal(attempts.blockedForSeconds('192.0.2.2', 'admin'), 60)
  for (let n = 0; n < 100_000; n++) attempts.failed(source(300_000 + n), 'x')
  assert.equal(attempts.blockedForSeconds('192.0.2.1', 'admin'), 0)
})

test('a clock that is set back blocks nobody for longer', () => {
  fail(10, '192.0.2.1', 'admin')
  now -= 3_600_000
  assert.equal(attempts.blockedForSeconds('192.0.2.1', 'admin'), 0)
  fail(10, '192.0.2.1', 'admin')
  assert.equal(attempts.blockedForSeconds('192.0.2.1', 'admin'), 60)
})

test('never allows more than ten of a pair or a hundred of a source in any minute', () => {
  const steps = fc.array(fc.tuple(fc.nat(2), fc.nat(30), fc.nat(3_000)), { maxLength: 600, minLength: 300 })
  const check = (tries: [number, number, number][]) => {
    attempts = new LoginThrottle({ now: () => now })
    const failures: { at: number; source: string; name: string }[] = []
    for (const [s, n, pause] of tries) {
      now += pause % 7 === 0 ? pause : pause % 50
      const [source, name] = [`192.0.2.${s}`, `name ${n % (s === 0 ? 2 : 31)}`]
      const recent = failures.filter((failure) => failure.source === source && failure.at > now - 60_000)
      const isOver = recent.length >= 100 || recent.filter((failure) => failure.name === name).length >= 10
      assert.equal(attempts.blockedForSeconds(source, name) > 0, isOver)
      if (isOver) continue
      attempts.failed(source, name)
      failures.push({ at: now, source, name })
    }
  }
  fc.assert(fc.property(steps, check), { numRuns: 50 })
})
