import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { test } from 'node:test'
import { ApiError } from '@wharf/platform/api-error.ts'
import { honestArchives } from '@wharf/testkit/packages/archives.ts'
import fc from 'fast-check'
import { StreamInspection } from './stream-inspection.ts'
import { inspectZip } from './zip-inspection.ts'

const { signal } = new AbortController()
const availableBytes = 2 ** 40
const small = honestArchives
  .map(({ build, fileName = 'package.tar' }) => ({ fileName, bytes: build() }))
  .filter(({ bytes }) => bytes.length > 0 && bytes.length < 20_000)

const damage = fc.oneof(
  fc.record({ kind: fc.constant('flip' as const), at: fc.nat(), with: fc.integer({ min: 1, max: 255 }) }),
  fc.record({ kind: fc.constant('cut' as const), at: fc.nat(), with: fc.constant(0) }),
  fc.record({ kind: fc.constant('repeat' as const), at: fc.nat(), with: fc.integer({ min: 1, max: 2048 }) }),
)

function damaged(
  bytes: Buffer,
  damages: readonly { kind: 'flip' | 'cut' | 'repeat'; at: number; with: number }[],
): Buffer {
  let result = Buffer.from(bytes)
  for (const { kind, at, with: amount } of damages) {
    const place = result.length === 0 ? 0 : at % result.length
    if (kind === 'flip' && result.length > 0) result[place] = (result[place] as number) ^ amount
    if (kind === 'cut') result = result.subarray(0, place)
    if (kind === 'repeat') result = Buffer.concat([result.subarray(0, place + amount), result.subarray(place)])
  }
  return result
}

test('a damaged archive is refused or harmless, and never blocks or crashes the inspection', {
  timeout: 600_000,
}, async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'flips-'))
  t.after(() => rm(folder, { recursive: true }))
  const spooled = join(folder, 'a.zip')

  const inspect = async (fileName: string, bytes: Buffer): Promise<void> => {
    const inspection = new StreamInspection({ fileName, availableBytes, signal })
    const sink = new Writable({ write: (_chunk, _encoding, done) => done() })
    await pipeline(Readable.from([bytes.subarray(0, 700), bytes.subarray(700)]), inspection.stream, sink)
    const { format } = await inspection.result()
    if (format !== 'zip') return
    await writeFile(spooled, bytes)
    await inspectZip(spooled, { availableBytes, signal })
  }

  const sample = fc.record({
    archive: fc.constantFrom(...small),
    damages: fc.array(damage, { minLength: 1, maxLength: 4 }),
  })
  await fc.assert(
    fc.asyncProperty(sample, async ({ archive, damages }) => {
      try {
        await inspect(archive.fileName, damaged(archive.bytes, damages))
      } catch (error) {
        assert.ok(error instanceof ApiError && error.code === 'SoftwarePackage.1132', String(error))
      }
    }),
    { numRuns: process.env.TEST_LONG ? 3000 : 800 },
  )
})
