import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ChatMessage, Recipient } from './chat-platform.ts'
import { feiShu } from './feishu.ts'
import { answerOf, exampleMessage, exampleRecipient, type JudgeRow, people } from './testing/examples.ts'

interface Body {
  timestamp?: string
  sign?: string
  msg_type: string
  card: {
    header: { title: { tag: string; content: string }; template: string }
    elements: { tag: string; content: string }[]
  }
}

const rows: {
  name: string
  message?: Partial<ChatMessage>
  to?: Partial<Recipient>
  title?: string
  colour?: string
  content: string
}[] = [
  { name: 'no mention', content: 'node 1 is down' },
  { name: 'one mention', to: { mentions: people('ou_18eac8') }, content: '<at id=ou_18eac8></at>\nnode 1 is down' },
  {
    name: 'many mentions',
    to: { mentions: people('ou_1', 'b6xxxxg8', 'ou_1') },
    content: '<at id=ou_1></at> <at id=b6xxxxg8></at>\nnode 1 is down',
  },
  { name: 'everybody', to: { atAll: true }, content: '<at id=all></at>\nnode 1 is down' },
  {
    name: 'all over individuals',
    to: { atAll: true, mentions: people('ou_1') },
    content: '<at id=all></at>\nnode 1 is down',
  },
  {
    name: 'an id with a tag in it, as a name',
    to: { mentions: people('x></at><at id=all>') },
    content: '@x&#62;&#60;/at&#62;&#60;at id=all&#62;\nnode 1 is down',
  },
  {
    name: 'a person with the name all, as a name',
    to: { mentions: [{ userId: 'all', remark: 'Al L.' }] },
    content: '@Al L.\nnode 1 is down',
  },
  {
    name: 'tags in the alert',
    message: { text: '<at user_id="all">all</at> <at id=all></at>' },
    content: '&#60;at user&#95;id="all"&#62;all&#60;/at&#62; &#60;at id=all&#62;&#60;/at&#62;',
  },
  {
    name: 'entities in the alert, and an ampersand',
    message: { text: '&#60;at id=all&#62; a & b' },
    content: '&#38;&#35;60;at id=all&#38;&#35;62; a & b',
  },
  {
    name: 'markup in the alert',
    message: { text: '*a* ~b~ `c` ![d](x) [e]($u) | f' },
    content: '&#42;a&#42; &#126;b&#126; &#96;c&#96; &#33;&#91;d&#93;&#40;x&#41; &#91;e&#93;&#40;&#36;u&#41; &#124; f',
  },
  {
    name: 'beginnings of lines',
    message: { text: '1. a\n+ b\n---\n10.0.0.1 c\n-5 d' },
    content: '1&#46; a\n&#43; b\n&#45;--\n10.0.0.1 c\n-5 d',
  },
  {
    name: 'bold, links and lists',
    message: { text: '**now** [a_b](https://x.example/a_b?q=1&r=2)\n\n- one' },
    content: '**now** [a&#95;b](https://x.example/a_b?q=1&r=2)\n\n- one',
  },
  {
    name: 'Chinese',
    message: { title: '节点恢复', text: '节点 1 已上线', severity: 'resolved' },
    to: { language: 'zh' },
    title: '[已恢复] 节点恢复',
    colour: 'green',
    content: '节点 1 已上线',
  },
  {
    name: 'a title as plain text',
    message: { title: '<at id=all></at> **x**', severity: 'warning' },
    title: '[Warning] <at id=all></at> **x**',
    colour: 'orange',
    content: 'node 1 is down',
  },
  {
    name: 'nothing but a title',
    message: { text: '', severity: 'info' },
    title: '[Info] etcd',
    colour: 'blue',
    content: '&nbsp;',
  },
]

for (const { name, message, to, title = '[Critical] etcd', colour = 'red', content } of rows) {
  test(`FeiShu renders ${name}`, () => {
    const requests = feiShu.render({ ...exampleMessage, ...message }, { ...exampleRecipient, ...to })
    assert.deepEqual(
      requests.map(({ url }) => url),
      [exampleRecipient.url],
    )
    const body: Body = JSON.parse(requests[0]?.body ?? '')
    assert.equal(body.msg_type, 'interactive')
    assert.deepEqual(body.card.header, { title: { tag: 'plain_text', content: title }, template: colour })
    assert.deepEqual(body.card.elements, [{ tag: 'markdown', content }])
    assert.ok(!('sign' in body) && !('timestamp' in body))
  })
}

test('FeiShu signs nothing with the time in seconds and the secret as the key', () => {
  const [request] = feiShu.render(exampleMessage, { ...exampleRecipient, secret: 'SEC1' })
  const body: Body = JSON.parse(request?.body ?? '')
  assert.equal(body.timestamp, '1599360473')
  // printf '' | openssl dgst -sha256 -mac HMAC -macopt hexkey:$(printf '1599360473\nSEC1' | od -An -tx1 | tr -d ' \n') -binary | base64
  assert.equal(body.sign, '0hLYmfoUxI4qR6gxrHZUwT+7HcMcncQkWF5gKyZReuU=')
  assert.equal(request?.url, exampleRecipient.url)
  assert.ok(!request?.body.includes('SEC1'))
})

test('FeiShu gets a long text in parts of 20,000 bytes, pings in the first, and a note at the end', () => {
  const text = `${'<长>'.repeat(20_000)}`
  const to = { ...exampleRecipient, secret: 'SEC1', mentions: people('ou_1'), language: 'zh' as const }
  const requests = feiShu.render({ ...exampleMessage, text }, to)
  const contents = requests.map(({ body }): string => JSON.parse(body).card.elements[0].content)
  assert.equal(contents.length, 4)
  for (const { body } of requests) {
    const bytes = Buffer.byteLength(body)
    assert.ok(bytes <= 20_000 && bytes > 19_800, `${bytes} bytes`)
  }
  assert.deepEqual(
    contents.map((content) => content.includes('<at id=ou_1></at>')),
    [true, false, false, false],
  )
  assert.match(contents[3] ?? '', /\n…（内容过长，已截断）$/)
})

const verdicts: JudgeRow[] = [
  { name: 'code 0', body: '{"code":0,"msg":"success","data":{}}', verdict: 'delivered' },
  { name: 'the older success', body: '{"StatusCode":0,"StatusMessage":"success"}', verdict: 'delivered' },
  { name: 'a bad request or a body too large', body: '{"code":9499,"msg":"Bad Request"}', verdict: 'dead' },
  {
    name: 'an unknown token',
    body: '{"code":19001,"msg":"param invalid: incoming webhook access token invalid"}',
    verdict: 'dead',
  },
  { name: 'a wrong signature', body: '{"code":19021,"msg":"sign match fail"}', verdict: 'dead' },
  { name: 'a wrong address', body: '{"code":19022,"msg":"Ip Not Allowed"}', verdict: 'dead' },
  { name: 'a missing keyword', status: 400, body: '{"code":19024,"msg":"Key Words Not Found"}', verdict: 'dead' },
  {
    name: 'a card it cannot make',
    body: '{"code":11246,"msg":"Failed to create card content, ext=ErrCode: 11310"}',
    verdict: 'dead',
  },
  { name: 'a card with too much in it', body: '{"code":11310,"msg":"element exceeds the limit"}', verdict: 'dead' },
  { name: 'a card it cannot make, in the words of messages', body: '{"code":230099}', verdict: 'dead' },
  { name: 'a message too long', body: '{"code":230025,"msg":"length limit"}', verdict: 'dead' },
  { name: 'a robot that was removed', body: '{"code":230002}', verdict: 'dead' },
  { name: 'too many messages for a group', body: '{"code":230020}', verdict: 'retry', afterSeconds: 60 },
  { name: 'too many messages', body: '{"code":11232,"msg":"frequency limited"}', verdict: 'retry', afterSeconds: 60 },
  {
    name: 'too many messages, the older way',
    body: '{"code":9499,"msg":"too many request"}',
    verdict: 'retry',
    afterSeconds: 60,
  },
  {
    name: 'too many requests as 400',
    status: 400,
    headers: { 'X-Ogw-Ratelimit-Reset': '52' },
    body: '{"code":99991400}',
    verdict: 'retry',
    afterSeconds: 52,
  },
  { name: 'a code nobody listed', body: '{"code":5}', verdict: 'retry' },
  { name: '200 without a result', body: '{}', verdict: 'retry' },
  { name: '400', status: 400, verdict: 'dead' },
  { name: '503', status: 503, headers: { 'retry-after': '99999999' }, verdict: 'retry', afterSeconds: 86_400 },
]

for (const row of verdicts) {
  test(`FeiShu: ${row.name} is ${row.verdict}`, () => {
    const verdict = feiShu.judge(answerOf(row))
    assert.equal(verdict.kind, row.verdict)
    assert.equal('afterSeconds' in verdict ? verdict.afterSeconds : undefined, row.afterSeconds)
  })
}
