import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { after, before, test } from 'node:test'
import { ApiError } from '@wharf/platform/api-error.ts'
import {
  type HostileArchive,
  hostileCompressed,
  hostileManifests,
  hostileTars,
  hostileZips,
} from '@wharf/testkit/packages/archives.ts'
import { StreamInspection } from './stream-inspection.ts'
import { inspectZip } from './zip-inspection.ts'

const plenty = 2 ** 50
let folder = ''

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'archives-'))
})
after(() => rm(folder, { recursive: true }))

/** As in an upload: streamed in pieces of any size, and a zip is inspected as a file. */
async function inspect({ fileName = 'package.tar', availableBytes = plenty }: HostileArchive, bytes: Buffer) {
  const signal = new AbortController().signal
  const inspection = new StreamInspection({ fileName, availableBytes, signal })
  const sink = new Writable({ write: (_chunk, _encoding, done) => done() })
  await pipeline(Readable.from(pieces(bytes)), inspection.stream, sink)
  const result = await inspection.result()
  if (result.format !== 'zip') return result
  const file = join(folder, 'spooled.zip')
  await writeFile(file, bytes)
  return inspectZip(file, { availableBytes, signal })
}

function* pieces(bytes: Buffer): Generator<Buffer> {
  for (let at = 0, size = 1; at < bytes.length; at += size, size = (size * 7) % 4099)
    yield bytes.subarray(at, at + size)
}

const rows = [...hostileTars, ...hostileCompressed, ...hostileManifests, ...hostileZips]

for (const row of rows) {
  test(`refuses ${row.name}`, { timeout: 10_000 }, async () => {
    const refusal = await inspect(row, row.build('/outside')).then(
      (result) => assert.fail(`accepted as ${JSON.stringify(result)}`),
      (error: unknown) => error,
    )
    assert.ok(refusal instanceof ApiError, String(refusal))
    assert.equal(refusal.code, 'SoftwarePackage.1132')
    assert.ok(refusal.message.includes(row.message), `${refusal.message} does not contain ${row.message}`)
  })
}

test('has at least 60 cases with unique names', () => {
  assert.ok(rows.length >= 60)
  assert.equal(new Set(rows.map(({ name }) => name)).size, rows.length)
})

test('nothing is left open, and memory stays small', async () => {
  assert.deepEqual(await readdir(folder), ['spooled.zip'])
  assert.ok(process.resourceUsage().maxRSS < 256 * 1024, `${process.resourceUsage().maxRSS} KiB`)
})
