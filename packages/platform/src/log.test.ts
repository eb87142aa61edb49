import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type AnsweredCall, logCall, makeLog } from './log.ts'
import { Secret } from './secret.ts'

function collected(level: string, work: (log: ReturnType<typeof makeLog>) => void): Record<string, unknown>[] {
  const lines: string[] = []
  work(makeLog(level, { write: (line) => void lines.push(line) }))
  assert.ok(lines.every((line) => line.endsWith('\n') && line.indexOf('\n') === line.length - 1))
  return lines.map((line) => JSON.parse(line))
}

test('a line is a JSON object with level, time and text', () => {
  const before = Date.now()
  const [line] = collected('info', (log) => log.info({ requestId: 'r' }, 'several\nlines'))
  assert.deepEqual(Object.keys(line ?? {}), ['level', 'time', 'requestId', 'msg'])
  assert.deepEqual([line?.level, line?.msg, line?.requestId], ['info', 'several\nlines', 'r'])
  assert.match(String(line?.time), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  const at = Date.parse(String(line?.time))
  assert.ok(at >= before && at <= Date.now(), String(line?.time))
})

test('omits lines below the level', () => {
  const lines = collected('warn', (log) => {
    log.info('a')
    log.warn('b')
    log.error('c')
  })
  assert.deepEqual(
    lines.map((line) => line.msg),
    ['b', 'c'],
  )
  assert.deepEqual(
    collected('silent', (log) => log.fatal('a')),
    [],
  )
})

test('an error has its trace and its cause, and a secret is never logged', () => {
  const [line] = collected('info', (log) =>
    log.error({ err: new Error('outer', { cause: new Error('inner') }), key: Secret.of('hidden') }, 'failed'),
  )
  const err = line?.err as { message: string; stack: string } | undefined
  assert.equal(err?.message, 'outer: inner')
  assert.match(err?.stack ?? '', /log\.test\.ts/)
  assert.equal(line?.key, '[secret]')
})

const call: AnsweredCall = {
  requestId: 'r',
  method: 'GET',
  path: '/v1/"\\',
  operation: 'QueryHost',
  status: 200,
  ms: 0.1,
  user: undefined,
  source: '127.0.0.1',
}

test('the line of a call has the common format, without unknown fields', () => {
  const [line, other] = collected('info', (log) => {
    logCall(log, call)
    log.info(call, 'request')
  })
  const { time: _, ...logged } = line ?? {}
  const { time: __, ...expected } = other ?? {}
  assert.deepEqual(logged, expected)
  assert.deepEqual(Object.keys(line ?? {}), Object.keys(other ?? {}))
  assert.deepEqual(
    collected('warn', (log) => logCall(log, call)),
    [],
  )
})

test('no line contains a terminal control character, and each can be parsed back', () => {
  const lines: string[] = []
  const log = makeLog('info', { write: (line) => void lines.push(line) })
  const text = 'a\u001b[2J\u007f\u009b31m\u202e\u2066\u2028b'
  log.warn({ text }, text)
  logCall(log, { ...call, path: text })
  for (const line of lines) assert.doesNotMatch(line, /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069](?!$)/u)
  assert.deepEqual(
    lines.map((line) => JSON.parse(line)).map(({ msg, path }) => path ?? msg),
    [text, text],
  )
})
