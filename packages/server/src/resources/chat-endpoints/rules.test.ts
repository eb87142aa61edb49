import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError } from '@wharf/platform/api-error.ts'
import { parseCidr } from '@wharf/platform/cidr.ts'
import fc from 'fast-check'
import { withLateNotice } from './delivery-attempt.ts'
import { deliveryLimits } from './delivery-limits.ts'
import { retryPauseMs } from './retry-pause.ts'
import { checkedWebhookUrl, shownUrl } from './webhook-url.ts'

const minute = 60_000
const { retryMs, maxDeliveryMs: leftMs } = deliveryLimits

test('the pauses grow to ten minutes and stay there', () => {
  const pauses = Array.from({ length: 12 }, (_, n) => retryPauseMs(n + 1, { retryMs, leftMs, random: 0.5 }) / 1000)
  assert.deepEqual(pauses, [1, 2, 5, 10, 30, 60, 120, 300, 600, 600, 600, 600])
})

test('a pause is a fifth longer or shorter, and never shorter than the vendor requires', () => {
  const inputs = [fc.integer({ min: 1, max: 500 }), fc.double({ min: 0, max: 1, noNaN: true }), fc.nat(86_340)] as const
  fc.assert(
    fc.property(...inputs, (attempt, random, afterSeconds) => {
      const middle = retryPauseMs(attempt, { retryMs, leftMs, random: 0.5 })
      const own = retryPauseMs(attempt, { retryMs, leftMs, random })
      assert.ok(own >= middle * 0.79 && own <= middle * 1.21)
      assert.equal(retryPauseMs(attempt, { retryMs, leftMs, random, afterSeconds }), Math.max(own, afterSeconds * 1000))
    }),
  )
})

const tooLong: { leftMs: number; pauseMs: number }[] = [
  { leftMs: 24 * 3_600_000 + minute, pauseMs: 24 * 3_600_000 },
  { leftMs: 24 * 3_600_000, pauseMs: 3_600_000 },
  { leftMs: 3_600_000, pauseMs: 1_800_000 },
  { leftMs: 600_000, pauseMs: 600_000 },
  { leftMs: -1, pauseMs: 600_000 },
]
for (const { leftMs, pauseMs } of tooLong) {
  test(`when a pause of a day is required, a message with ${leftMs} ms left is retried after ${pauseMs} ms`, () => {
    assert.equal(retryPauseMs(20, { retryMs, leftMs, random: 0.5, afterSeconds: 86_400 }), pauseMs)
  })
}

const time = { language: 'en', formatTime: () => 'Nov 5, 2026 1:02:03 AM UTC' } as const
const row = { text: 'down', createDate: 0, partsDelivered: 0 }
const late: { name: string; text: string; given?: Partial<typeof row>; now: number; language?: 'en' | 'zh' }[] = [
  { name: 'a message in time is unchanged', now: 15 * minute, text: 'down' },
  {
    name: 'a late message contains its time',
    now: 15 * minute + 1,
    text: '(late: this is of Nov 5, 2026 1:02:03 AM UTC)\n\ndown',
  },
  {
    name: 'a late message contains its time once',
    now: 99 * minute,
    given: { text: '(late: this is of Nov 5, 2026 1:02:03 AM UTC)\n\ndown' },
    text: '(late: this is of Nov 5, 2026 1:02:03 AM UTC)\n\ndown',
  },
  {
    name: 'in Chinese',
    now: 99 * minute,
    language: 'zh',
    text: '（延迟送达：消息时间为 Nov 5, 2026 1:02:03 AM UTC）\n\ndown',
  },
  {
    name: 'the later parts of a message are unchanged',
    now: 99 * minute,
    given: { partsDelivered: 1 },
    text: 'down',
  },
]
for (const { name, text, given = {}, now, language = 'en' } of late) {
  test(name, () => assert.equal(withLateNotice({ ...row, ...given }, { ...time, now, language }), text))
}

const secret = 's3cr3t'
const refused: Record<string, string> = {
  [`ftp://chat.example/${secret}`]: 'http:// or https://',
  [`https:chat.example/${secret}`]: 'http:// or https://',
  [`https:///${secret}`]: 'http:// or https://',
  [`//chat.example/${secret}`]: 'http:// or https://',
  [`https://user:${secret}@chat.example/`]: 'a user name or a password',
  [`https://chat.example/${secret} x`]: 'spaces',
  [`https://chat.example/${secret}\\x`]: 'backslashes',
  [`https://chat.example:99999/${secret}`]: 'http:// or https://',
  [`http://127.0.0.1/${secret}`]: 'a loopback address',
  [`http://0x7f000001/${secret}`]: 'a loopback address',
  [`http://[::1]/${secret}`]: 'a loopback address',
  [`http://169.254.169.254/${secret}`]: 'a cloud metadata address',
}
for (const [url, why] of Object.entries(refused)) {
  test(`refuses a webhook at ${url} without repeating it`, () => {
    assert.throws(
      () => checkedWebhookUrl(url, []),
      (error) => {
        assert.ok(error instanceof ApiError && error.code === 'SYS.1007')
        assert.ok(error.message.startsWith('url ') && error.message.includes(why), error.message)
        return !error.message.includes(secret)
      },
    )
  })
}

test('only the host of a webhook is shown', () => {
  const url = checkedWebhookUrl(`https://oapi.dingtalk.com/robot/send?access_token=${secret}`, [])
  assert.equal(shownUrl(url), 'https://oapi.dingtalk.com/…')
  const loopback = parseCidr('127.0.0.0/8')
  assert.ok(loopback)
  assert.equal(shownUrl(checkedWebhookUrl(`http://127.0.0.1:81/${secret}`, [loopback])), 'http://127.0.0.1:81/…')
})
