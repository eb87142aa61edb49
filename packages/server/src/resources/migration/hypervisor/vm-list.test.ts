import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseVmList } from './vm-list.ts'

const uuid = (digit: string): string => `${digit.repeat(8)}-1111-2222-3333-${digit.repeat(12)}`
const plain = (digit: string): string => uuid(digit).replaceAll('-', '')

test('parses the VMs and states of libvirt, also with unusual names', () => {
  const lines = [
    `${uuid('a')} wharf-a`,
    `${uuid('b')} it's   two  words`,
    `${uuid('c')} gone-meanwhile`,
    '',
    "Domain: 'wharf-a'",
    '  state.state=1',
    '  state.reason=1',
    '',
    "Domain: 'it's   two  words'",
    '  state.state=5',
    "Domain: 'not in the list'",
    '  state.state=3',
  ]
  assert.deepEqual(
    [...parseVmList(lines)],
    [
      [plain('a'), { name: 'wharf-a', state: 'Running' }],
      [plain('b'), { name: "it's   two  words", state: 'Stopped' }],
      [plain('c'), { name: 'gone-meanwhile', state: 'Unknown' }],
    ],
  )
})

test('maps every state of libvirt, and a new one to Unknown', () => {
  const stateOf = (number: number) =>
    parseVmList([`${uuid('a')} x`, "Domain: 'x'", `  state.state=${number}`]).get(plain('a'))?.state
  assert.deepEqual([0, 1, 2, 3, 4, 5, 6, 7, 8].map(stateOf), [
    'Unknown',
    'Running',
    'Running',
    'Paused',
    'Stopping',
    'Stopped',
    'Crashed',
    'Suspended',
    'Unknown',
  ])
})

test('an empty output has no VMs', () => assert.equal(parseVmList(['']).size, 0))
