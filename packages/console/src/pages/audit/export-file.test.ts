import assert from 'node:assert/strict'
import { test } from 'node:test'
import { blobOf, verifyCommand } from './export-file.ts'

test('a stream is collected in a Blob, with its progress', async () => {
  async function* chunks() {
    for (let number = 0; number < 6; number++) yield new Uint8Array(1 << 20).fill(number)
  }
  const progress: number[] = []
  const blob = await blobOf(chunks(), 'csv', (bytes) => progress.push(bytes))
  assert.deepEqual([blob.size, blob.type, progress], [6 << 20, 'text/csv', [4 << 20]])
  assert.equal((await blob.bytes()).at(-1), 5)
})

test('the command of a limited export names its start', () => {
  assert.equal(verifyCommand(undefined), 'wharf audit verify wharf-audit.ndjson --key wharf-audit.pem')
  assert.match(verifyCommand('2026-11-04T12:00:00.000Z'), / --from 2026-11-04T12:00:00\.000Z$/)
})
