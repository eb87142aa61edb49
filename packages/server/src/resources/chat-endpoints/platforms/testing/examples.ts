import type { ChatMessage, Mention, Recipient, VendorResponse, Verdict } from '../chat-platform.ts'

export const exampleMessage: ChatMessage = { title: 'etcd', text: 'node 1 is down', severity: 'critical' }

export const exampleRecipient: Recipient = {
  url: 'https://chat.example.com/hook?access_token=t0k3n',
  secret: undefined,
  mentions: [],
  atAll: false,
  now: 1_599_360_473_000,
  language: 'en',
}

export const people = (...userIds: string[]): Mention[] => userIds.map((userId) => ({ userId, remark: null }))

/** Attempts of an alert to mention people, to add markup or to escape its field. */
export const hostileTexts = [
  '<@U123> <@W1|ann> <!channel> <!here> <!subteam^S1> <#C1>',
  '<at user_id="all">everyone</at> <at id=all></at> <at>Ann</at>',
  '@all @everyone @here @所有人 <@all> <@zhang>',
  '<font color="info">green</font> <a href="https://evil.example">x</a>',
  '```\ncode\n``` `x` *x* _x_ ~x~ __x__ ***x***',
  '# heading\n> quote\n1. one\n+ plus\n---\n===\n| a | b |',
  '[x](javascript:alert(1)) ![x](https://evil.example/i.png) [x]($url) ](',
  '"},{"atAll":true}\u0000\u202e\ud800 &lt;@U123&gt; &#60;at id=all&#62;',
]

export interface JudgeRow {
  readonly name: string
  readonly status?: number
  readonly headers?: Record<string, string>
  readonly body?: string
  readonly verdict: Verdict['kind']
  readonly afterSeconds?: number
}

export const answerOf = ({ status = 200, headers = {}, body = '' }: JudgeRow): VendorResponse => ({
  status,
  headers,
  body,
  receivedAt: Date.parse('Sun, 06 Nov 1994 08:49:37 GMT'),
})
