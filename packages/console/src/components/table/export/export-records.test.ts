import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ExportFormat, exportRecords } from './export-records.ts'

interface Host {
  readonly uuid: string
  readonly name: string
  readonly size: number | null
}

const hosts: Host[] = [
  { uuid: '1', name: '=cmd', size: 1 },
  { uuid: '2', name: 'web', size: null },
  { uuid: '3', name: 'db', size: 3 },
]

async function* pages(): AsyncGenerator<Host[]> {
  yield hosts.slice(0, 2)
  yield hosts.slice(2)
}

async function exported(format: ExportFormat, signal = new AbortController().signal) {
  const counts: number[] = []
  const columns = [
    { field: 'name' as const, label: 'Name' },
    { field: 'size' as const, label: 'Size', text: ({ size }: Host) => (size === null ? '?' : `${size} B`) },
  ]
  const blob = await exportRecords({ format, columns, pages: pages(), signal, onProgress: (n) => counts.push(n) })
  return { blob, counts, text: await blob.text() }
}

test('CSV has the labels and texts of the columns', async () => {
  const { blob, counts, text } = await exported('csv')
  assert.equal(text, "Name,Size\r\n'=cmd,1 B\r\nweb,?\r\ndb,3 B\r\n")
  assert.deepEqual(new Uint8Array(await blob.arrayBuffer()).subarray(0, 3), new Uint8Array([0xef, 0xbb, 0xbf]))
  assert.deepEqual(counts, [2, 3])
})

test('JSON has whole records', async () => {
  const { blob, text } = await exported('json')
  assert.deepEqual(JSON.parse(text), hosts)
  assert.equal(blob.type, 'application/json')
})

test('an aborted export throws after the current page', async () => {
  const aborted = AbortSignal.abort(new Error('cancelled'))
  await assert.rejects(exported('csv', aborted), /cancelled/)
})
