import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { honestArchives } from '@wharf/testkit/packages/archives.ts'
import { StreamInspection } from './stream-inspection.ts'
import { inspectZip } from './zip-inspection.ts'
import { zipToTar } from './zip-to-tar.ts'

const { signal } = new AbortController()
const availableBytes = 2 ** 50
let folder = ''

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'archives-'))
})
after(() => rm(folder, { recursive: true }))

async function inspect(fileName: string, bytes: Readable) {
  const inspection = new StreamInspection({ fileName, availableBytes, signal })
  const passed = await buffer(bytes.pipe(inspection.stream))
  return { passed, result: await inspection.result() }
}

for (const { name, fileName = 'package.tar', format = 'tar', build, entries, unpackedBytes } of honestArchives) {
  test(`accepts ${name}`, async () => {
    const bytes = build()
    const { passed, result } = await inspect(fileName, Readable.from([bytes]))
    assert.ok(passed.equals(bytes))
    assert.equal(result.md5, createHash('md5').update(bytes).digest('hex'))
    assert.equal(result.size, bytes.length)
    assert.equal(result.format, format)
    if (format !== 'zip') return assert.deepEqual(found(result), { entries, unpackedBytes })

    const file = join(folder, 'spooled.zip')
    await writeFile(file, bytes)
    assert.deepEqual(found(await inspectZip(file, { availableBytes, signal })), { entries, unpackedBytes })
    // the tar for the host has the same content, where a link's target is not data
    const sent = await inspect('sent.tar', zipToTar(file, signal))
    assert.equal(sent.result.entries, entries)
  })
}

const found = ({ entries, unpackedBytes }: { entries: number; unpackedBytes: number }) => ({ entries, unpackedBytes })
