import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ChatMessage, Recipient } from './chat-platform.ts'
import { dingTalk } from './dingtalk.ts'
import { answerOf, exampleMessage, exampleRecipient, type JudgeRow, people } from './testing/examples.ts'

interface Body {
  msgtype: string
  markdown: { title: string; text: string }
  at: { atMobiles: string[]; atUserIds: string[]; isAtAll: boolean }
}

const nobody = { atMobiles: [], atUserIds: [], isAtAll: false }

const rows: {
  name: string
  message?: Partial<ChatMessage>
  to?: Partial<Recipient>
  text: string | RegExp
  at?: Partial<Body['at']>
}[] = [
  { name: 'no mention', text: '#### \\[Critical\\] etcd\n\nnode 1 is down' },
  {
    name: 'a telephone number, in the text too',
    to: { mentions: people('13800001111') },
    text: /\n\n@13800001111 {2}\nnode/,
    at: { atMobiles: ['13800001111'] },
  },
  {
    name: 'a number from abroad',
    to: { mentions: people('+852-61234567') },
    text: /\n\n@\+852-61234567 /,
    at: { atMobiles: ['+852-61234567'] },
  },
  {
    name: 'an id, in the text too and unescaped',
    to: { mentions: people('zhang_san') },
    text: /\n\n@zhang_san {2}\n/,
    at: { atUserIds: ['zhang_san'] },
  },
  {
    name: 'a number of sixteen digits is an id',
    to: { mentions: people('2256305331847434') },
    text: /@2256305331847434/,
    at: { atUserIds: ['2256305331847434'] },
  },
  {
    name: 'many, each once',
    to: { mentions: people('a1', '13800001111', 'b2', 'a1') },
    text: /\n\n@a1 @13800001111 @b2 {2}\n/,
    at: { atMobiles: ['13800001111'], atUserIds: ['a1', 'b2'] },
  },
  {
    name: 'all over individuals',
    to: { atAll: true, mentions: people('a1', '13800001111') },
    text: '#### \\[Critical\\] etcd\n\nnode 1 is down',
    at: { isAtAll: true },
  },
  {
    name: 'an id with markup is shown by its remark and not pinged',
    to: { mentions: [{ userId: 'a](x)*', remark: 'Ann*' }] },
    text: /\n\n@Ann\\\* /,
  },
  {
    name: 'a person with the name all is not everybody',
    to: { mentions: people('all', '@all') },
    text: /\n\n@all @@all /,
  },
  {
    name: 'more people than fit',
    to: { mentions: people(...Array.from({ length: 53 }, (_, index) => `u${index}`)) },
    text: /@u49 \+3 /,
    at: { atUserIds: Array.from({ length: 50 }, (_, index) => `u${index}`) },
  },
  {
    name: 'markup in the text',
    message: { text: '*a* _b_ `c` ~d~ \\\\e <font color="red">f</font> 1 < 2' },
    text: /\n\n\\\*a\\\* \\_b\\_ \\`c\\` \\~d\\~ \\\\e ＜font color="red">f＜\/font> 1 < 2$/,
  },
  {
    name: 'bold, links, lists and breaks',
    message: { text: '**now**\nsee [the graph](https://p.example/g?a=1&b=2)\n- one\n- two\n\nend' },
    text: /\n\n\*\*now\*\* {2}\nsee \[the graph\]\(https:\/\/p\.example\/g\?a=1&b=2\)\n\n- one\n- two\n\nend$/,
  },
  {
    name: 'starts of lines',
    message: { text: '# a\n> b\n1. c\n--- d\n10.0.0.1 e' },
    text: /\n\n\\# a {2}\n\\> b {2}\n1\\\. c {2}\n\\--- d {2}\n10\.0\.0\.1 e$/,
  },
  {
    name: 'a link to a script stays text',
    message: { text: '[x](javascript:alert(1))' },
    text: /\n\n\\\[x\\\]\(javascript:alert\(1\)\)$/,
  },
  {
    name: 'Chinese',
    message: { title: '节点故障', text: '节点 1 已离线' },
    to: { language: 'zh' },
    text: '#### \\[严重\\] 节点故障\n\n节点 1 已离线',
  },
  { name: 'resolved', message: { severity: 'resolved' }, text: /^#### \\\[Resolved\\\] etcd\n/ },
  { name: 'nothing but a title', message: { text: '' }, text: '#### \\[Critical\\] etcd' },
  { name: 'an empty message', message: { title: '', text: ' \n ' }, text: '#### \\[Critical\\]' },
  {
    name: 'a long title on one line',
    message: { title: `a\nb${'x'.repeat(200)}` },
    text: /^#### \\\[Critical\\\] a bx{116}…\n/,
  },
]

for (const { name, message, to, text, at } of rows) {
  test(`DingTalk renders ${name}`, () => {
    const requests = dingTalk.render({ ...exampleMessage, ...message }, { ...exampleRecipient, ...to })
    assert.equal(requests.length, 1)
    const body: Body = JSON.parse(requests[0]?.body ?? '')
    if (typeof text === 'string') assert.equal(body.markdown.text, text)
    else assert.match(body.markdown.text, text)
    assert.deepEqual(body.at, { ...nobody, ...at })
    assert.equal(requests[0]?.url, exampleRecipient.url)
    for (const id of [...body.at.atMobiles, ...body.at.atUserIds]) assert.ok(body.markdown.text.includes(`@${id}`))
  })
}

test('DingTalk signs the address with the time and the secret', () => {
  const [request] = dingTalk.render(exampleMessage, { ...exampleRecipient, secret: 'SEC1' })
  const url = new URL(request?.url ?? '')
  assert.equal(url.searchParams.get('access_token'), 't0k3n')
  assert.equal(url.searchParams.get('timestamp'), '1599360473000')
  // printf '1599360473000\nSEC1' | openssl dgst -sha256 -hmac SEC1 -binary | base64
  assert.equal(url.searchParams.get('sign'), 'ZOTpz55OGsOZqDzPUYXoo77LBqUn4mFrziOhNZaUD9s=')
  assert.ok(!request?.url.includes('SEC1') && !request?.body.includes('SEC1'))
})

test('DingTalk gets a long text in parts of 20,000 bytes, pings in the first, and a note at the end', () => {
  const text = Array.from({ length: 3000 }, (_, index) => `第 ${index} 行 "引号" *星号*`).join('\n')
  const requests = dingTalk.render({ ...exampleMessage, text }, { ...exampleRecipient, mentions: people('a1') })
  const bodies: Body[] = requests.map(({ body }) => JSON.parse(body))
  assert.deepEqual(
    bodies.map((body) => body.markdown.title),
    ['[Critical] etcd (1/4)', '[Critical] etcd (2/4)', '[Critical] etcd (3/4)', '[Critical] etcd (4/4)'],
  )
  assert.deepEqual(
    bodies.map((body) => body.at.atUserIds),
    [['a1'], [], [], []],
  )
  for (const { body } of requests) {
    const bytes = Buffer.byteLength(body)
    assert.ok(bytes <= 20_000 && bytes > 17_000, `${bytes} bytes`)
  }
  assert.match(bodies[3]?.markdown.text ?? '', /… \(shortened: too long for a chat\)$/)
})

const verdicts: JudgeRow[] = [
  { name: 'errcode 0', body: '{"errcode":0,"errmsg":"ok"}', verdict: 'delivered' },
  { name: 'a wrong token', body: '{"errcode":300001,"errmsg":"token is not exist"}', verdict: 'dead' },
  { name: 'a missing keyword', body: '{"errcode":310000,"errmsg":"keywords not in content"}', verdict: 'dead' },
  { name: 'a message too long', body: '{"errcode":460101,"errmsg":"message too long"}', verdict: 'dead' },
  { name: 'a disabled robot', body: '{"errcode":"400102"}', verdict: 'dead' },
  { name: 'a robot that was removed', body: '{"errcode":400106}', verdict: 'dead' },
  { name: 'an unreadable body', body: '{"errcode":43004}', verdict: 'dead' },
  {
    name: 'too many messages',
    body: '{"errcode":130101,"errmsg":"send too fast"}',
    verdict: 'retry',
    afterSeconds: 600,
  },
  {
    name: 'too many messages, with a time',
    headers: { 'Retry-After': '7' },
    body: '{"errcode":410100}',
    verdict: 'retry',
    afterSeconds: 7,
  },
  { name: 'a busy system', body: '{"errcode":-1}', verdict: 'retry' },
  { name: 'an unlisted code', body: '{"errcode":987654}', verdict: 'retry' },
  { name: '200 without a result', body: '<html>', verdict: 'retry' },
  { name: '200 with null', body: 'null', verdict: 'retry' },
  { name: '404', status: 404, verdict: 'dead' },
  { name: '408', status: 408, verdict: 'retry' },
  {
    name: '429 with a date',
    status: 429,
    headers: { 'retry-after': 'Sun, 06 Nov 1994 08:50:07 GMT', date: 'Sun, 06 Nov 1994 08:49:37 GMT' },
    verdict: 'retry',
    afterSeconds: 30,
  },
  {
    name: '429 with a date, and no Date header',
    status: 429,
    headers: { 'retry-after': 'Sun, 06 Nov 1994 08:50:07 GMT' },
    verdict: 'retry',
    afterSeconds: 30,
  },
  {
    name: '429 with a past date',
    status: 429,
    headers: { 'retry-after': 'Sun, 06 Nov 1994 08:00:00 GMT', date: 'nonsense' },
    verdict: 'retry',
    afterSeconds: 0,
  },
  { name: '429 with an invalid date', status: 429, headers: { 'retry-after': 'soon' }, verdict: 'retry' },
  { name: '502', status: 502, body: '{"errcode":0}', verdict: 'retry' },
  { name: 'a redirect', status: 302, verdict: 'retry' },
]

for (const row of verdicts) {
  test(`DingTalk: ${row.name} is ${row.verdict}`, () => {
    const verdict = dingTalk.judge(answerOf(row))
    assert.equal(verdict.kind, row.verdict)
    assert.equal('afterSeconds' in verdict ? verdict.afterSeconds : undefined, row.afterSeconds)
  })
}
