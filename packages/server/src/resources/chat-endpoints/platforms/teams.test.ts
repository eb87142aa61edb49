import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ChatMessage, Recipient } from './chat-platform.ts'
import { teams } from './teams.ts'
import { answerOf, exampleMessage, exampleRecipient, type JudgeRow, people } from './testing/examples.ts'

interface Run {
  text: string
  weight?: string
  selectAction?: { type: string; url: string }
}

interface Card {
  body: {
    type: string
    style?: string
    text?: string
    spacing?: string
    items?: { inlines: Run[] }[]
    inlines?: Run[]
  }[]
  msteams: { entities: { type: string; text: string; mentioned: { id: string; name: string } }[] }
}

const cardOf = (body: string): Card => JSON.parse(body).attachments[0].content

/** A card as lines: runs in bold between stars, links as [text](url), a TextBlock after a colon. */
const linesOf = ({ body }: Card): string[] =>
  body.slice(1).map(({ text, inlines, spacing }) => {
    const runs = (inlines ?? []).map(({ text, weight, selectAction }) => {
      const linked = selectAction === undefined ? text : `[${text}](${selectAction.url})`
      return weight === undefined ? linked : `*${linked}*`
    })
    return (spacing === 'Medium' ? '¶' : '') + (text === undefined ? runs.join('') : `:${text}`)
  })

const ann = { userId: 'ann@example.com', remark: 'Ann' }
const bob = { userId: '87d349ed-44d7-43e1-9a83-5f2406dee5bd', remark: 'Bob' }

const rows: {
  name: string
  message?: Partial<ChatMessage>
  to?: Partial<Recipient>
  heading?: string
  style?: string
  lines: string[]
  mentioned?: [id: string, name: string][]
}[] = [
  { name: 'no mention', lines: ['node 1 is down'] },
  {
    name: 'one mention',
    to: { mentions: [ann] },
    lines: [':<at>Ann</at>', 'node 1 is down'],
    mentioned: [['ann@example.com', 'Ann']],
  },
  {
    name: 'many mentions',
    to: { mentions: [ann, bob, ann] },
    lines: [':<at>Ann</at> <at>Bob</at>', 'node 1 is down'],
    mentioned: [
      ['ann@example.com', 'Ann'],
      [bob.userId, 'Bob'],
    ],
  },
  {
    name: 'two people of one name',
    to: { mentions: [ann, { ...bob, remark: 'Ann' }] },
    lines: [`:<at>Ann</at> <at>Ann ${bob.userId}</at>`, 'node 1 is down'],
    mentioned: [
      ['ann@example.com', 'Ann'],
      [bob.userId, `Ann (${bob.userId})`],
    ],
  },
  {
    name: 'two people whose names differ only in markup',
    to: {
      mentions: [
        { ...ann, remark: 'Ann_B' },
        { ...bob, remark: 'Ann B' },
      ],
    },
    lines: [`:<at>Ann B</at> <at>Ann B ${bob.userId}</at>`, 'node 1 is down'],
    mentioned: [
      ['ann@example.com', 'Ann_B'],
      [bob.userId, `Ann B (${bob.userId})`],
    ],
  },
  {
    name: 'three people whose ids differ only in markup',
    to: { mentions: people('a_b@x.c', 'a#b@x.c', 'a~b@x.c') },
    lines: [':<at>a b@x.c</at> <at>a b@x.c a b@x.c</at> <at>a b@x.c a b@x.c 2</at>', 'node 1 is down'],
    mentioned: [
      ['a_b@x.c', 'a_b@x.c'],
      ['a#b@x.c', 'a#b@x.c (a#b@x.c)'],
      ['a~b@x.c', 'a~b@x.c (a~b@x.c) 2'],
    ],
  },
  {
    name: 'a remark of markup only',
    to: { mentions: [{ ...ann, remark: '***' }] },
    lines: [':<at>ann@example.com</at>', 'node 1 is down'],
    mentioned: [['ann@example.com', 'ann@example.com']],
  },
  { name: 'everyone, whom a webhook cannot mention', to: { atAll: true }, lines: ['@everyone', 'node 1 is down'] },
  {
    name: 'everyone, with the registered people by name',
    to: { atAll: true, mentions: [ann], language: 'zh' },
    heading: '[严重] etcd',
    lines: [':@所有人 <at>Ann</at>', 'node 1 is down'],
    mentioned: [['ann@example.com', 'Ann']],
  },
  {
    name: 'an invalid id, as a name',
    to: { mentions: people('13800001111', '<at>x</at>') },
    lines: ['@13800001111 @＜at>x＜/at>', 'node 1 is down'],
  },
  {
    name: 'a remark with markup',
    to: { mentions: [{ userId: 'a@b.c', remark: '</at>[x](y) *z*' }] },
    lines: [':<at>/at x y z</at>', 'node 1 is down'],
    mentioned: [['a@b.c', '</at>[x](y) *z*']],
  },
  {
    name: 'tags in the alert',
    message: { text: '<at>Ann</at> <@U1> 1 < 2' },
    to: { mentions: [ann] },
    lines: [':<at>Ann</at>', '＜at>Ann＜/at> ＜@U1> 1 < 2'],
    mentioned: [['ann@example.com', 'Ann']],
  },
  {
    name: 'markup in the alert, which a run shows literally',
    message: { text: '*a* _b_ `c` # d & [e](f) \\*\\*g\\*\\*' },
    lines: ['*a* _b_ `c` # d & [e](f) **g**'],
  },
  {
    name: 'bold, links, lists and paragraphs',
    message: { text: '**now** see **[graph](https://x.example/(a)) [graph](https://x.example/a)**\n- one\n\nend' },
    lines: [
      '*now* see *[graph](**[https://x.example/(a](https://x.example/%28a)**)) **[graph](https://x.example/a)*',
      '• one',
      '¶end',
    ],
  },
  {
    name: 'Chinese',
    message: { title: '节点恢复', text: '节点 1 已上线', severity: 'resolved' },
    to: { language: 'zh' },
    heading: '[已恢复] 节点恢复',
    style: 'good',
    lines: ['节点 1 已上线'],
  },
  {
    name: 'quotes and control characters',
    message: { text: '"a"\u0000\u202e\u001b[31m\tb\r\nc' },
    lines: ['"a"[31m b', 'c'],
  },
  {
    name: 'nothing but a title',
    message: { text: '', severity: 'warning' },
    heading: '[Warning] etcd',
    style: 'warning',
    lines: [],
  },
]

for (const { name, message, to, heading = '[Critical] etcd', style = 'attention', lines, mentioned = [] } of rows) {
  test(`Teams renders ${name}`, () => {
    const requests = teams.render({ ...exampleMessage, ...message }, { ...exampleRecipient, ...to })
    assert.deepEqual(
      requests.map(({ url }) => url),
      [exampleRecipient.url],
    )
    const card = cardOf(requests[0]?.body ?? '')
    assert.equal(card.body[0]?.style, style)
    assert.equal(card.body[0]?.items?.[0]?.inlines[0]?.text, heading)
    assert.deepEqual(linesOf(card), lines)
    assert.deepEqual(
      card.msteams.entities.map(({ mentioned }) => [mentioned.id, mentioned.name]),
      mentioned,
    )
    // the vendor refuses an entity whose text is not in the card
    const shown = linesOf(card).join('\n')
    const texts = card.msteams.entities.map(({ text }) => text)
    for (const text of texts) assert.ok(shown.includes(text))
    assert.equal(new Set(texts).size, texts.length)
  })
}

test('Teams gets a long text in at most four cards within its limit, and a note at the end', () => {
  const text = Array.from({ length: 2000 }, (_, index) => `- **行 ${index}** [图](https://x.example/${index})`).join(
    '\n',
  )
  const requests = teams.render({ ...exampleMessage, text }, { ...exampleRecipient, mentions: [ann] })
  assert.equal(requests.length, 4)
  for (const { body } of requests) {
    const bytes = Buffer.byteLength(body)
    assert.ok(bytes <= 20_000 && bytes > 19_000, `${bytes} bytes`)
  }
  const cards = requests.map(({ body }) => cardOf(body))
  assert.deepEqual(
    cards.map((card) => card.msteams.entities.length),
    [1, 0, 0, 0],
  )
  assert.deepEqual(
    cards.map((card) => card.body[0]?.items?.[0]?.inlines[0]?.text.slice(-6)),
    [' (1/4)', ' (2/4)', ' (3/4)', ' (4/4)'],
  )
  assert.equal(linesOf(cards[3] ?? cardOf('')).at(-1), '… (shortened: too long for a chat)')
})

const verdicts: JudgeRow[] = [
  { name: 'a workflow that accepted it', status: 202, verdict: 'delivered' },
  { name: 'a workflow that accepted it with 200', status: 200, body: '', verdict: 'delivered' },
  { name: 'a sign-in page', body: '<!DOCTYPE html><html>', verdict: 'retry' },
  { name: 'a connector that accepted it', body: '1', verdict: 'delivered' },
  {
    name: 'a connector that accepted it with a text',
    body: '{"statusCode":200,"reasonPhrase":"OK","isSuccessStatusCode":true}',
    verdict: 'delivered',
  },
  {
    name: '200 around 429',
    body: 'Webhook message delivery failed with error: Microsoft Teams endpoint returned HTTP error 429 with ContextId x',
    verdict: 'retry',
  },
  {
    name: '200 around 413',
    body: 'Webhook message delivery failed with error: Microsoft Teams endpoint returned HTTP error 413 with ContextId x',
    verdict: 'dead',
  },
  { name: '200 around 503', body: 'Microsoft Teams endpoint returned HTTP error 503', verdict: 'retry' },
  { name: 'a message too large', status: 413, verdict: 'dead' },
  { name: 'a deleted workflow', status: 404, body: '{"error":{"code":"WorkflowNotFound"}}', verdict: 'dead' },
  { name: 'a wrong signature in the address', status: 401, verdict: 'dead' },
  { name: 'too many messages', status: 429, headers: { 'Retry-After': '5' }, verdict: 'retry', afterSeconds: 5 },
  { name: 'a gateway timeout', status: 504, verdict: 'retry' },
]

for (const row of verdicts) {
  test(`Teams: ${row.name} is ${row.verdict}`, () => {
    const verdict = teams.judge(answerOf(row))
    assert.equal(verdict.kind, row.verdict)
    assert.equal('afterSeconds' in verdict ? verdict.afterSeconds : undefined, row.afterSeconds)
  })
}

test('Teams gets cards within its limit when many people with long names are mentioned', () => {
  const mentions = Array.from({ length: 60 }, (_, index) => ({
    userId: `${'u'.repeat(40)}${index}@example.com`,
    remark: null,
  }))
  const to: Recipient = { ...exampleRecipient, mentions }
  const requests = teams.render({ ...exampleMessage, text: 'x'.repeat(16_000) }, to)
  assert.deepEqual(
    requests.map(({ body }) => cardOf(body).msteams.entities.length),
    [50, 0],
  )
  for (const { body } of requests) assert.ok(Buffer.byteLength(body) <= 20_000)
})
