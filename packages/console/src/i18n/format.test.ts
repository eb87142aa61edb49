import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createFormat } from './format.ts'

const en = createFormat('en')
const zh = createFormat('zh-CN')

const sizes: [bytes: number, text: string][] = [
  [0, '0 B'],
  [1, '1 B'],
  [1023, '1,023 B'],
  [1024, '1 KiB'],
  [1536, '1.5 KiB'],
  [2 ** 20, '1 MiB'],
  [200 * 2 ** 20, '200 MiB'],
  [2.5 * 2 ** 30, '2.5 GiB'],
  [2 ** 40, '1 TiB'],
  [2 ** 50, '1 PiB'],
  [2 ** 60, '1,024 PiB'],
]
for (const [bytes, text] of sizes) test(`${bytes} bytes are ${text}`, () => assert.equal(en.bytes(bytes), text))

test('a rate is bytes per second', () => assert.equal(en.rate(3 * 2 ** 20), '3 MiB/s'))

const durations: [seconds: number, text: string][] = [
  [0, '0 sec'],
  [89, '89 sec'],
  [90, '2 min'],
  [600, '10 min'],
  [5399, '90 min'],
  [5400, '2 hr'],
  [36_000, '10 hr'],
]
for (const [seconds, text] of durations)
  test(`${seconds} seconds are ${text}`, () => assert.equal(en.seconds(seconds), text))

const exactDurations: [ms: number, text: string][] = [
  [0, '0 ms'],
  [350.4, '350 ms'],
  [999.9, '1,000 ms'],
  [4210, '4.2 sec'],
  [34_400, '34 sec'],
  [59_949, '60 sec'],
  [60_000, '1 min'],
  [125_000, '2 min 5 sec'],
  [3_599_499, '59 min 59 sec'],
  [3_600_000, '1 hr'],
  [3_780_000, '1 hr 3 min'],
  [90_000_000, '25 hr'],
]
for (const [ms, text] of exactDurations) test(`${ms} ms are ${text}`, () => assert.equal(en.duration(ms), text))

const now = Date.parse('2026-11-05T12:00:00Z')
const past: [secondsAgo: number, text: string][] = [
  [0, 'now'],
  [1, '1 second ago'],
  [59, '59 seconds ago'],
  [60, '1 minute ago'],
  [3599, '60 minutes ago'],
  [3600, '1 hour ago'],
  [86_399, '24 hours ago'],
  [86_400, 'yesterday'],
  [10 * 86_400, '10 days ago'],
  [-120, 'in 2 minutes'],
]
for (const [secondsAgo, text] of past)
  test(`${secondsAgo} seconds ago is "${text}"`, () => assert.equal(en.ago(now - secondsAgo * 1000, now), text))

test('numbers and shares have the format of the language', () => {
  assert.equal(en.number(1_234_567), '1,234,567')
  assert.equal(en.percent(0.256), '26%')
  assert.equal(zh.number(1_234_567), '1,234,567')
})

test('times are in the language of the user', () => {
  assert.equal(zh.ago(now - 60_000, now), '1分钟前')
  assert.notEqual(zh.moment(now), en.moment(now))
})

test('a time may be text, a number or a date', () => {
  const texts = [now, new Date(now), '2026-11-05T12:00:00Z'].map((time) => en.moment(time))
  assert.equal(new Set(texts).size, 1)
})

test('a time in UTC names its zone', () => {
  assert.equal(createFormat('en', 'utc').moment('2026-11-05T00:04:05+01:00'), 'Nov 4, 2026, 23:04:05 UTC')
  assert.equal(createFormat('zh-CN', 'utc').moment('2026-11-05T00:00:00Z'), '2026/11/05 00:00:00 UTC')
  assert.doesNotMatch(en.moment(now), /UTC/)
})
