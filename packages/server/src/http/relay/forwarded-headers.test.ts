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
    name: 'not what belongs to the connection',
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
    name: 'nor what the connection names as its own',
    sent: ['X-Mine', '1', 'connection', 'close, X-Mine', 'X-Yours', '2'],
    passed: ['X-Yours', '2'],
  },
  {
    name: 'nor an expectation that has been met',
    sent: ['Expect', '100-continue', 'Host', 'h'],
    passed: ['Host', 'h'],
  },
  { name: 'nor what is to be left out', sent: ['X-Left', '1', 'Host', 'h'], passed: ['Host', 'h'] },
]
for (const { name, sent, passed } of rows)
  test(`passes on ${name}`, () => assert.deepEqual(forwardedHeaders(sent, ['x-left']), passed))
