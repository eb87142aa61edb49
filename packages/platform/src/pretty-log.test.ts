import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type AnsweredCall, logCall, makeLog } from './log.ts'
import { PrettyLog } from './pretty-log.ts'

function printed(work: (log: ReturnType<typeof makeLog>) => void, hasColours = false): string {
  const lines: string[] = []
  const to = { write: (line: string) => void lines.push(line) }
  work(makeLog('info', new PrettyLog(to, { hasColours })))
  return lines.join('').replaceAll(/\d\d:\d\d:\d\d\.\d{3}/g, '<time>')
}

const call: AnsweredCall = {
  requestId: 'r1',
  method: 'GET',
  path: '/v1/hosts',
  operation: 'QueryHost',
  status: 200,
  ms: 3,
  user: 'admin',
  source: '127.0.0.1',
}

for (const [what, work, expected] of [
  ['a text', (log) => log.info('ready'), '<time> INFO  ready\n'],
  ['fields', (log) => log.warn({ host: '::', ports: [1, 2] }, 'open'), '<time> WARN  open  host=:: ports=[1,2]\n'],
  ['several lines', (log) => log.info('a\nb'), '<time> INFO  a\\nb\n'],
  [
    'a call',
    (log) => logCall(log, call),
    '<time> INFO  GET /v1/hosts 200 3 ms  operation=QueryHost user=admin source=127.0.0.1 requestId=r1\n',
  ],
  [
    'control characters',
    (log) => log.info({ path: 'a\u001b[2J\u009b\u202eb' }, 'x\u0007'),
    '<time> INFO  x\ufffd  path=a\ufffd\ufffdb\n',
  ],
] as [string, (log: ReturnType<typeof makeLog>) => void, string][])
  test(`prints ${what}`, () => assert.equal(printed(work), expected))

test('prints the trace of an error below its line', () => {
  const text = printed((log) => log.error({ err: new Error('no disk') }, 'failed'))
  assert.match(text, /^<time> ERROR failed\n {4}Error: no disk\n {8}at /)
})

test('colours the level', () => {
  assert.match(
    printed((log) => log.error('x'), true),
    /\u001b\[31mERROR\u001b\[0m x/,
  )
})
