import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Decision, decide, isOver, type LastMessage } from './repeat-limit.ts'

const minute = 60_000
const sent = (heldEvent: string | null = null): LastMessage => ({
  sentEvent: 'HostDisconnected',
  sentDate: 0,
  heldEvent,
})

const rows: [string, LastMessage | undefined, 'HostDisconnected' | 'HostConnected', number, Decision][] = [
  ['the first state is sent', undefined, 'HostDisconnected', 0, 'send'],
  ['another state within ten minutes is held', sent(), 'HostConnected', minute, 'hold'],
  [
    'a return to the reported state within ten minutes is ignored',
    sent('{}'),
    'HostDisconnected',
    2 * minute,
    'ignore',
  ],
  ['another state after ten minutes is sent', sent(), 'HostConnected', 10 * minute, 'send'],
  [
    'the reported state is sent again when its end was not subscribed to',
    sent(),
    'HostDisconnected',
    11 * minute,
    'send',
  ],
  ['a return before the held state was reported is ignored', sent('{}'), 'HostDisconnected', 10 * minute, 'ignore'],
  ['a clock that was set back does not delay messages', sent(), 'HostConnected', -minute, 'send'],
]
for (const [name, last, event, now, decision] of rows)
  test(name, () => assert.equal(decide(last, event, now), decision))

test('the interval is ten minutes', () => {
  assert.equal(isOver(0, 10 * minute - 1), false)
  assert.equal(isOver(0, 10 * minute), true)
})
