import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ChatKind, chatKinds } from '@wharf/contract'
import { chatPlatforms } from '@wharf/server/resources/chat-endpoints/platforms/platforms.ts'
import { parsePortableText } from '@wharf/server/resources/chat-endpoints/platforms/portable-text.ts'
import fc from 'fast-check'
import { type Audience, calledBy, isPinged, isPlain } from './mentions.ts'
import { readLines } from './portable-text.ts'

// the page may not use what the server sends with; that both agree is held here

const message = { title: 'EtcdMemberDown', text: 'text', severity: 'critical' } as const

function sent(type: ChatKind, userIds: readonly string[], atAll = false): string {
  const mentions = userIds.map((userId) => ({ userId, remark: null }))
  const to = { url: 'https://chat.example/x', secret: undefined, mentions, atAll, now: 0, language: 'en' } as const
  return chatPlatforms[type].render(message, to)[0]?.body ?? ''
}

const pings: Record<ChatKind, RegExp> = {
  DingTalk: /"(atMobiles|atUserIds)":\["/,
  WeCom: /<@|"mentioned(_mobile)?_list":\["/,
  FeiShu: /<at id=(?!all>)/,
  Slack: /<[@!]/,
  Teams: /"type":"mention"/,
}

const userIds = [
  '13800138000',
  '+86-13800138000',
  '+1-5551234567',
  'manager4220',
  'zhang.san@example.com',
  'ou_84aad35d084aa403a838cf73ee18467',
  'U012AB3CD',
  'S0123ABCD',
  'u012ab3cd',
  '9e1a2b3c-0000-4000-8000-1234567890ab',
  'all',
  '@all',
  'here',
  'channel',
  'Zhang San',
  '张三',
  '-dash',
  '_under',
  'a'.repeat(64),
  '<b>',
]

for (const type of chatKinds) {
  test(`the preview of ${type} calls whom the server calls`, () => {
    for (const userId of userIds) assert.equal(isPinged(type, userId), pings[type].test(sent(type, [userId])), userId)
  })
}

test('WeCom receives plain text for everybody and for telephone numbers', () => {
  const audience: Audience = { type: 'WeCom', language: 'en', atAll: false, persons: [] }
  for (const atAll of [false, true])
    for (const ids of [[], ['manager4220'], ['manager4220', '13800138000']]) {
      const persons = ids.map((userId) => ({ userId, remark: null }))
      const isText = sent('WeCom', ids, atAll).includes('"msgtype":"text"')
      assert.equal(isPlain({ ...audience, atAll, persons }), isText)
    }
})

test('everybody is called instead of the persons, but for Teams, which calls them as well', () => {
  const persons = [{ userId: 'a@b.example', remark: 'Zhang San' }]
  const audience = { language: 'en', atAll: true, persons } as const
  assert.deepEqual(calledBy({ ...audience, type: 'Slack' }), [{ name: '@everyone', isPinged: true }])
  assert.deepEqual(calledBy({ ...audience, type: 'Teams' }), [
    { name: '@everyone', isPinged: false },
    { name: '@Zhang San', isPinged: true },
  ])
})

test('the preview reads a text as the server does', () => {
  const piece = fc.constantFrom(
    '**',
    '*',
    '\\*',
    '- ',
    '\n',
    '\n\n',
    ' ',
    'word',
    '告警',
    '[a](https://x.example/y)',
    '[\\[b\\]](http://x.example)',
    'https://x.example/z.',
    '[',
    ']',
    '(',
    ')',
    '\\',
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
      const text = pieces.join('')
      const expected = parsePortableText(text).map(({ bullet, spans }) => ({
        isBullet: bullet,
        spans: spans.map((span) => ['text' in span ? span.text : '', 'bold' in span && span.bold, 'url' in span]),
      }))
      const found = readLines(text).map(({ isBullet, spans }) => ({
        isBullet,
        spans: spans.map((span) => [span.text, span.isBold, span.url !== undefined]),
      }))
      assert.deepEqual(found, expected)
    }),
  )
})
