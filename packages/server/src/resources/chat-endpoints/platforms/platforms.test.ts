import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anyCharacter } from '@wharf/testkit/any-character.ts'
import fc from 'fast-check'
import type { ChatKind, Mention } from './chat-platform.ts'
import { chatPlatforms } from './platforms.ts'
import { escapeMarkdown } from './portable-text.ts'
import { exampleMessage, exampleRecipient, hostileTexts } from './testing/examples.ts'

const maxBodyBytes: Record<ChatKind, number> = {
  DingTalk: 20_000,
  WeCom: 10_000,
  FeiShu: 20_000,
  Slack: 200_000,
  Teams: 20_000,
}

/** The notation of a mention for each vendor. */
const calls: Record<ChatKind, RegExp> = {
  DingTalk: /"atMobiles":\["|"atUserIds":\["|"isAtAll":true/,
  WeCom: /<@|"mentioned(_mobile)?_list":\["/,
  // the header is plain text
  FeiShu: /(?<="elements":.*)<at/,
  Slack: /<[@!#]/,
  Teams: /"entities":\[\{|<at/,
}

const hostile = fc
  .array(fc.oneof(fc.constantFrom(...hostileTexts), fc.string({ unit: anyCharacter })), { maxLength: 5 })
  .map((texts) => texts.join(' '))

for (const platform of Object.values(chatPlatforms)) {
  test(`${platform.kind}: no text of an alert mentions anyone, escaped or not`, () => {
    fc.assert(
      fc.property(hostile, hostile, fc.boolean(), (title, text, escaped) => {
        const message = { ...exampleMessage, title, text: escaped ? escapeMarkdown(text) : text }
        for (const { body } of platform.render(message, exampleRecipient))
          assert.doesNotMatch(body, calls[platform.kind])
      }),
    )
  })

  test(`${platform.kind}: every message fits, with any mentions and any text`, () => {
    const mentions = fc.array(
      fc.record<Mention>({
        userId: fc.oneof(
          fc.string({ maxLength: 64, unit: 'grapheme' }),
          fc.stringMatching(/^[A-Z][a-z0-9_]{0,63}$/),
          fc.constant('13800001111'),
          fc.stringMatching(/^[a-z"]{1,40}@[a-z]{1,20}$/),
          fc.uuid(),
        ),
        remark: fc.option(fc.string({ maxLength: 255, unit: 'grapheme' })),
      }),
      { maxLength: 80, size: 'max' },
    )
    const texts = fc.tuple(hostile, fc.nat(2000)).map(([text, times]) => (text || 'x').repeat(times).slice(0, 16_384))
    fc.assert(
      fc.property(hostile, texts, mentions, fc.boolean(), (title, text, people, atAll) => {
        const to = { ...exampleRecipient, secret: 'S3CRET', mentions: people, atAll }
        const requests = platform.render({ ...exampleMessage, title, text }, to)
        assert.ok(requests.length >= 1 && requests.length <= 4)
        for (const { body, headers } of requests) {
          assert.ok(Buffer.byteLength(body) <= maxBodyBytes[platform.kind])
          assert.equal(typeof JSON.parse(body), 'object')
          assert.equal(headers['content-type'], 'application/json; charset=utf-8')
          assert.ok(!body.includes('S3CRET'))
        }
      }),
      { numRuns: 40 },
    )
  })

  test(`${platform.kind}: a message is split in the same way for any address, secret and time`, () => {
    const message = { ...exampleMessage, text: 'a line of a long text\n'.repeat(700) }
    const contentOf = (body: string): unknown => ({ ...JSON.parse(body), timestamp: undefined, sign: undefined })
    const [before, after] = [{}, { secret: 'S3CRET', url: 'https://other.example/x', now: 1 }].map((changed) =>
      platform.render(message, { ...exampleRecipient, ...changed }).map(({ body }) => contentOf(body)),
    )
    assert.deepEqual(after, before)
  })

  test(`${platform.kind}: a reason contains no text of an answer`, () => {
    const answers = fc.record({
      status: fc.integer({ min: 200, max: 599 }),
      headers: fc.constant({}),
      receivedAt: fc.constant(0),
      body: fc.constantFrom(
        'key=t0k3n',
        '{"errcode":7,"code":7,"errmsg":"t0k3n","msg":"t0k3n"}',
        '{"errcode":"t0k3n","code":"t0k3n"}',
        't0k3n HTTP error 404',
      ),
    })
    fc.assert(
      fc.property(answers, (answer) => {
        assert.ok(!JSON.stringify(platform.judge(answer)).includes('t0k3n'))
      }),
    )
  })
}
