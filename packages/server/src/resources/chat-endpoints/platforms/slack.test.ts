import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ChatMessage, Recipient } from './chat-platform.ts'
import { slack } from './slack.ts'
import { answerOf, exampleMessage, exampleRecipient, type JudgeRow, people } from './testing/examples.ts'

interface Body {
  text: string
  blocks: { type: string; text: { type: string; text: string; verbatim: boolean } }[]
}

const rows: {
  name: string
  message?: Partial<ChatMessage>
  to?: Partial<Recipient>
  heading?: string
  sections: string[]
}[] = [
  { name: 'no mention', sections: ['node 1 is down'] },
  { name: 'one mention', to: { mentions: people('U024BE7LH') }, sections: ['<@U024BE7LH>\nnode 1 is down'] },
  {
    name: 'many mentions, a group among them',
    to: { mentions: people('U1', 'W2', 'S3', 'U1') },
    sections: ['<@U1> <@W2> <!subteam^S3>\nnode 1 is down'],
  },
  { name: 'everybody', to: { atAll: true }, sections: ['<!channel>\nnode 1 is down'] },
  {
    name: 'all over individuals',
    to: { atAll: true, mentions: people('U1') },
    sections: ['<!channel>\nnode 1 is down'],
  },
  {
    name: 'an id with a tag in it, as a name',
    to: { mentions: people('U1><!channel') },
    sections: ['@U1&gt;&lt;!channel\nnode 1 is down'],
  },
  {
    name: 'a name instead of an id, as a name',
    to: { mentions: [{ userId: 'here', remark: '<!here>' }] },
    sections: ['@&lt;!here&gt;\nnode 1 is down'],
  },
  {
    name: 'calls in the alert',
    message: { text: '<@U123> <!channel> <!here> @here @channel #general & co' },
    sections: ['&lt;@U123&gt; &lt;!channel&gt; &lt;!here&gt; @here @channel #general &amp; co'],
  },
  { name: 'escapes in the alert', message: { text: '&lt;@U123&gt;' }, sections: ['&amp;lt;@U123&amp;gt;'] },
  {
    name: 'markers in the alert',
    message: { text: '*a* _b_ ~c~ `d` ```e``` node_f_g 2 * 3 sum(*)' },
    sections: ['∗a∗ ˍb_ ∼c~ ˋdˋ ˋˋˋeˋˋˋ node_f_g 2 * 3 sum(∗)'],
  },
  {
    name: 'a quotation in the alert',
    message: { text: '> a\n>>> b' },
    sections: ['\u200b&gt; a\n\u200b&gt;&gt;&gt; b'],
  },
  {
    name: 'bold, links and lists',
    message: { text: '**now ** [a|b>](https://x.example/?a=1&b=|)\n\n- one\n- **two**' },
    sections: ['*now*  <https://x.example/?a=1&amp;b=%7C|a|b&gt;>\n\n• one\n• *two*'],
  },
  {
    name: 'an address alone',
    message: { text: 'see https://x.example/a_b, please' },
    sections: ['see <https://x.example/a_b|https://x.example/a_b>, please'],
  },
  {
    name: 'Chinese',
    message: { title: '节点恢复', text: '节点 1 已上线', severity: 'resolved' },
    to: { language: 'zh' },
    heading: '[已恢复] 节点恢复',
    sections: ['节点 1 已上线'],
  },
  {
    name: 'a title with markup',
    message: { title: '<!channel> *x* y*' },
    heading: '[Critical] &lt;!channel&gt; ∗x∗ y∗',
    sections: ['node 1 is down'],
  },
  { name: 'nothing but a title', message: { text: '\n\n' }, sections: [] },
]

for (const { name, message, to, heading = '[Critical] etcd', sections } of rows) {
  test(`Slack renders ${name}`, () => {
    const requests = slack.render({ ...exampleMessage, ...message }, { ...exampleRecipient, secret: 'unused', ...to })
    assert.deepEqual(
      requests.map(({ url }) => url),
      [exampleRecipient.url],
    )
    const body: Body = JSON.parse(requests[0]?.body ?? '')
    assert.equal(body.text, heading)
    assert.deepEqual(
      body.blocks,
      [`*${heading}*`, ...sections].map((text) => ({
        type: 'section',
        text: { type: 'mrkdwn', text, verbatim: true },
      })),
    )
  })
}

test('Slack gets a long text in sections of 3,000 characters, whole lines in each', () => {
  const lines = Array.from({ length: 400 }, (_, index) => `line ${index} & more`)
  const requests = slack.render({ ...exampleMessage, text: lines.join('\n') }, exampleRecipient)
  assert.equal(requests.length, 1)
  const body: Body = JSON.parse(requests[0]?.body ?? '')
  const [, ...sections] = body.blocks.map((block) => block.text.text)
  for (const section of sections) assert.ok(section.length <= 3000)
  assert.deepEqual(
    sections.join('\n').split('\n'),
    lines.map((line) => line.replace('&', '&amp;')),
  )
})

test('Slack gets a very long text in at most four messages of at most 50 sections, and a note at the end', () => {
  const text = Array.from({ length: 80 }, () => '<'.repeat(400)).join('\n') + 'x'.repeat(90_000)
  const requests = slack.render({ ...exampleMessage, text }, { ...exampleRecipient, mentions: people('U1') })
  const bodies: Body[] = requests.map(({ body }) => JSON.parse(body))
  assert.deepEqual(
    bodies.map((body) => body.text),
    ['[Critical] etcd (1/4)', '[Critical] etcd (2/4)', '[Critical] etcd (3/4)', '[Critical] etcd (4/4)'],
  )
  for (const { blocks } of bodies) {
    assert.ok(blocks.length <= 50)
    for (const block of blocks) assert.ok(block.text.text.length <= 3000)
  }
  assert.deepEqual(
    requests.map(({ body }) => body.includes('<@U1>')),
    [true, false, false, false],
  )
  assert.match(bodies[3]?.blocks.at(-1)?.text.text ?? '', /… \(shortened: too long for a chat\)$/)
})

const verdicts: JudgeRow[] = [
  { name: 'ok', body: 'ok', verdict: 'delivered' },
  { name: 'ok of a workflow', body: '{"ok":true}', verdict: 'delivered' },
  { name: 'ok of a workflow, with more', body: '{\n  "ok": true,\n  "warning": "x"\n}', verdict: 'delivered' },
  { name: '202 with nothing', status: 202, verdict: 'delivered' },
  { name: 'a deleted workflow', body: '{"ok":false,"error":"no_service"}', verdict: 'dead' },
  { name: 'a workflow that cannot read it', body: '{"ok":false,"error":"invalid_payload"}', verdict: 'dead' },
  { name: 'a workflow that is busy', body: '{"ok":false,"error":"ratelimited"}', verdict: 'retry' },
  { name: 'a workflow without an error', body: '{"ok":false}', verdict: 'retry' },
  { name: 'JSON without ok', body: '{}', verdict: 'retry' },
  { name: '200 with a sign-in page', body: '<html>', verdict: 'retry' },
  { name: 'an unknown hook', status: 404, body: 'no_service', verdict: 'dead' },
  { name: 'a revoked hook', status: 403, body: 'invalid_token', verdict: 'dead' },
  { name: 'an archived channel', status: 410, body: 'channel_is_archived', verdict: 'dead' },
  { name: 'a message it cannot read', status: 400, body: 'invalid_blocks', verdict: 'dead' },
  {
    name: 'too many messages',
    status: 429,
    headers: { 'retry-after': '30' },
    body: 'rate_limited',
    verdict: 'retry',
    afterSeconds: 30,
  },
  { name: 'a time-out', status: 408, verdict: 'retry' },
  { name: 'a fault', status: 500, body: 'rollup_error', verdict: 'retry' },
]

for (const row of verdicts) {
  test(`Slack: ${row.name} is ${row.verdict}`, () => {
    const verdict = slack.judge(answerOf(row))
    assert.equal(verdict.kind, row.verdict)
    assert.equal('afterSeconds' in verdict ? verdict.afterSeconds : undefined, row.afterSeconds)
  })
}

test('the reason contains the error word of Slack, and no other text', () => {
  const reason = (body: string) => {
    const verdict = slack.judge({ status: 404, headers: {}, body, receivedAt: 0 })
    return 'reason' in verdict ? verdict.reason : undefined
  }
  assert.equal(reason('no_service\n'), 'Slack answered HTTP 404: no_service')
  assert.equal(reason('T00/B00/s3cr3t is unknown'), 'Slack answered HTTP 404')
})
