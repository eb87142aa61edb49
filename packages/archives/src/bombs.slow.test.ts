import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { ApiError } from '@wharf/platform/api-error.ts'
import { bombs } from '@wharf/testkit/packages/archives.ts'
import { StreamInspection } from './stream-inspection.ts'

const maxBytes = 256 * 1024 ** 2
const maxMs = 60_000

interface Outcome {
  readonly code: string
  readonly message: string
  readonly peakBytes: number
}

async function inspect({ fileName, availableBytes, parts }: (typeof bombs)[number]): Promise<Outcome> {
  const inspection = new StreamInspection({ fileName, availableBytes, signal: new AbortController().signal })
  const sink = new Writable({ write: (_chunk, _encoding, done) => done() })
  const refusal = await pipeline(Readable.from(parts()), inspection.stream, sink).then(
    () => assert.fail('accepted'),
    (error: unknown) => error,
  )
  assert.ok(refusal instanceof ApiError, String(refusal))
  await assert.rejects(inspection.result(), refusal)
  return { code: refusal.code, message: refusal.message, peakBytes: process.resourceUsage().maxRSS * 1024 }
}

/** With the name of a bomb as argument this file inspects it, so that the memory of one archive is measured. */
const program = fileURLToPath(import.meta.url)
const [, , only] = process.argv
const { NODE_COMPILE_CACHE } = process.env
const env = { NODE_COMPILE_CACHE }

/** Too many entries and too long names; hostile-packages.slow.test.ts uploads one with too many bytes. */
const quickBombs = ['200,001 times the same file', 'names that fill the memory']

if (only === undefined) {
  for (const { name, message: expected } of bombs.filter(
    ({ name }) => process.env.TEST_LONG || quickBombs.includes(name),
  )) {
    test(`refuses ${name} without unpacking it into memory`, async () => {
      const { stdout } = await promisify(execFile)(process.execPath, [program, name], { env, timeout: maxMs })
      const { code, message, peakBytes } = JSON.parse(stdout) as Outcome
      assert.equal(code, 'SoftwarePackage.1132')
      assert.ok(message.includes(expected), message)
      assert.ok(peakBytes < maxBytes, `${peakBytes} bytes`)
    })
  }
} else {
  for (const bomb of bombs.filter(({ name }) => name === only)) console.log(JSON.stringify(await inspect(bomb)))
}
