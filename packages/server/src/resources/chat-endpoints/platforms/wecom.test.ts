import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ChatMessage, Recipient } from './chat-platform.ts'
import { answerOf, exampleMessage, exampleRecipient, type JudgeRow, people } from './testing/examples.ts'
import { weCom } from './wecom.ts'

interface Body {
  msgtype: 'markdown' | 'text'
  markdown?: { content: string }
  text?: { content: string; mentioned_list: string[]; mentioned_mobile_list: string[] }
}

const title = '<font color="warning">**[Critical] etcd**</font>\n'

const rows: {
  name: string
  message?: Partial<ChatMessage>
  to?: Partial<Recipient>
  markdown?: string
  text?: Body['text']
}[] = [
  { name: 'no mention', markdown: `${title}node 1 is down` },
  { name: 'one mention', to: { mentions: people('zhangsan') }, markdown: `${title}<@zhangsan>\nnode 1 is down` },
  {
    name: 'many mentions',
    to: { mentions: people('zhangsan', 'li.si@x', 'Wang-Wu_2') },
    markdown: `${title}<@zhangsan> <@li.si@x> <@Wang-Wu_2>\nnode 1 is down`,
  },
  {
    name: 'everybody, as text',
    to: { atAll: true },
    text: { content: '[Critical] etcd\nnode 1 is down', mentioned_list: ['@all'], mentioned_mobile_list: [] },
  },
  {
    name: 'all over individuals',
    to: { atAll: true, mentions: people('zhangsan', '13800001111') },
    text: { content: '[Critical] etcd\nnode 1 is down', mentioned_list: ['@all'], mentioned_mobile_list: [] },
  },
  {
    name: 'a telephone number, as text',
    to: { mentions: people('13800001111', 'zhangsan') },
    text: {
      content: '[Critical] etcd\nnode 1 is down',
      mentioned_list: ['zhangsan'],
      mentioned_mobile_list: ['13800001111'],
    },
  },
  {
    name: 'an id with brackets, as a name',
    to: { mentions: [{ userId: 'x><@all', remark: null }] },
    markdown: `${title}@x>＜@all\nnode 1 is down`,
  },
  {
    name: 'a person with the name @all, as a name',
    to: { mentions: people('@all', 'all', 'ALL') },
    markdown: `${title}@@all @all @ALL\nnode 1 is down`,
  },
  {
    name: 'a mention in the alert',
    message: { text: 'call <@zhangsan> and @all, 1 < 2' },
    markdown: `${title}call ＜@zhangsan> and @all, 1 < 2`,
  },
  {
    name: 'a mention in the alert, as text',
    message: { text: 'call <@zhangsan> and @all' },
    to: { atAll: true },
    text: {
      content: '[Critical] etcd\ncall ＜@zhangsan> and @all',
      mentioned_list: ['@all'],
      mentioned_mobile_list: [],
    },
  },
  {
    name: 'markup in the alert',
    message: { text: '*a* `b` <font color="info">c</font> 2 * 3 \\[d](https://x.example)' },
    markdown: `${title}∗a∗ ˋbˋ ＜font color="info">c＜/font> 2 * 3 [d] ([https://x.example](https://x.example/))`,
  },
  { name: 'beginnings of lines', message: { text: '# a\n> b\n#c' }, markdown: `${title}\u200b# a\n\u200b> b\n#c` },
  {
    name: 'bold, links and lists',
    message: { text: '**now** [a \\[b\\]](https://x.example/?q=(1)) [a \\[b\\]](https://x.example/?q=1)\n\n- one' },
    markdown: `${title}**now** [a [b]] ([https://x.example/?q=(1](https://x.example/?q=%281))) [a ［b］](https://x.example/?q=1)\n\n• one`,
  },
  {
    name: 'bold and links as text',
    message: { text: '**now** [graph](https://x.example/g) end' },
    to: { atAll: true },
    text: {
      content: '[Critical] etcd\nnow graph https://x.example/g  end',
      mentioned_list: ['@all'],
      mentioned_mobile_list: [],
    },
  },
  {
    name: 'Chinese',
    message: { title: '节点恢复', text: '节点 1 已上线', severity: 'resolved' },
    to: { language: 'zh' },
    markdown: '<font color="info">**[已恢复] 节点恢复**</font>\n节点 1 已上线',
  },
  {
    name: 'a title with markup',
    message: { title: '**x** <@all>\n# y' },
    markdown: '<font color="warning">**[Critical] ∗∗x∗∗ ＜@all> # y**</font>\nnode 1 is down',
  },
  { name: 'nothing but a title', message: { text: '' }, markdown: title.trim() },
]

for (const { name, message, to, markdown, text } of rows) {
  test(`WeCom renders ${name}`, () => {
    const requests = weCom.render({ ...exampleMessage, ...message }, { ...exampleRecipient, ...to })
    const bodies: Body[] = requests.map(({ body }) => JSON.parse(body))
    assert.deepEqual(bodies, [
      text === undefined ? { msgtype: 'markdown', markdown: { content: markdown } } : { msgtype: 'text', text },
    ])
    assert.equal(requests[0]?.url, exampleRecipient.url)
  })
}

for (const [atAll, limit] of [
  [false, 4096],
  [true, 2048],
] as const) {
  test(`WeCom gets a long text in at most four parts of ${limit} bytes${atAll ? ' when all are mentioned' : ''}`, () => {
    const text = `${'长'.repeat(5000)}\n**${'粗'.repeat(3000)}**`
    const requests = weCom.render({ ...exampleMessage, text }, { ...exampleRecipient, atAll, language: 'zh' })
    const bodies: Body[] = requests.map(({ body }) => JSON.parse(body))
    const contents = bodies.map((body) => body.markdown?.content ?? body.text?.content ?? '')
    assert.equal(contents.length, 4)
    for (const content of contents)
      assert.ok(Buffer.byteLength(content) <= limit && Buffer.byteLength(content) > limit - 100)
    assert.match(contents[0] ?? '', /^.*\[严重\] etcd \(1\/4\)/)
    assert.match(contents[3] ?? '', /\n…（内容过长，已截断）$/)
    assert.deepEqual(
      bodies.map((body) => body.text?.mentioned_list),
      atAll ? [['@all'], [], [], []] : [undefined, undefined, undefined, undefined],
    )
  })
}

const verdicts: JudgeRow[] = [
  { name: 'errcode 0', body: '{"errcode":0,"errmsg":"ok"}', verdict: 'delivered' },
  { name: 'an unknown key', body: '{"errcode":93000,"errmsg":"invalid webhook url"}', verdict: 'dead' },
  {
    name: 'a text too long',
    body: '{"errcode":40058,"errmsg":"markdown.content exceed max length 4096"}',
    verdict: 'dead',
  },
  { name: 'a parameter it does not take', body: '{"errcode":40035}', verdict: 'dead' },
  { name: 'a sender it does not let in', body: '{"errcode":60020}', verdict: 'dead' },
  { name: 'an empty message', body: '{"errcode":44004}', verdict: 'dead' },
  {
    name: 'too many messages',
    body: '{"errcode":45009,"errmsg":"api freq out of limit"}',
    verdict: 'retry',
    afterSeconds: 60,
  },
  { name: 'a busy system', body: '{"errcode":-1}', verdict: 'retry' },
  { name: '200 without a result', body: '', verdict: 'retry' },
  { name: '403', status: 403, verdict: 'dead' },
  { name: '429', status: 429, headers: { 'retry-after': '12' }, verdict: 'retry', afterSeconds: 12 },
  { name: '500', status: 500, verdict: 'retry' },
]

for (const row of verdicts) {
  test(`WeCom: ${row.name} is ${row.verdict}`, () => {
    const verdict = weCom.judge(answerOf(row))
    assert.equal(verdict.kind, row.verdict)
    assert.equal('afterSeconds' in verdict ? verdict.afterSeconds : undefined, row.afterSeconds)
  })
}
