import assert from 'node:assert/strict'
import { test } from 'node:test'
import { forwardedHeaders } from './forwarded-headers.ts'

const rows: { name: string; sent: string[]; passed: string[] }[] = [
  { name: 'nothing', sent: [], passed: [] },
  {
    name: 'names as they were written, and repeated ones',
    sent: ['X-A', '1', 'x-a', '2'],
    passed: ['X-A', '1', 'x-a', '2'],
  },
  {
    name: 'no headers of the connection',
    sent: [
      'Connection',
      'keep-alive',
      'Keep-Alive',
      'timeout=5',
      'Transfer-Encoding',
      'chunked',
      'TE',
      'trailers',
      'Date',
      'now',
    ],
    passed: ['Date', 'now'],
  },
  {
    name: 'no headers that Connection names',
    sent: ['X-Mine', '1', 'connection', 'close, X-Mine', 'X-Yours', '2'],
    passed: ['X-Yours', '2'],
  },
  {
    name: 'no answered expectation',
    sent: ['Expect', '100-continue', 'Host', 'h'],
    passed: ['Host', 'h'],
  },
  { name: 'no excluded headers', sent: ['X-Left', '1', 'Host', 'h'], passed: ['Host', 'h'] },
]
for (const { name, sent, passed } of rows)
  test(`forwards ${name}`, () => assert.deepEqual(forwardedHeaders(sent, ['x-left']), passed))
