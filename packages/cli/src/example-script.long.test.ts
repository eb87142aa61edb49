import { strict as assert } from 'node:assert'
import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { ServerProcess, serverEnvironment } from '@wharf/testkit'
import { assertGolden, normalized } from './testing/golden.ts'

const script = fileURLToPath(new URL('../../../examples/ship-a-package.sh', import.meta.url))

test('examples/ship-a-package.sh runs, and can be repeated', {
  timeout: 400_000,
}, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'wharf-example-'))
  const server = new ServerProcess(await serverEnvironment(t))
  t.after(async () => {
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  })
  await server.start()
  const { PATH = '' } = process.env
  const env = { PATH, HOME: folder, WHARF_DATA: server.environment.WHARF_DATA ?? '' }
  const target = join(folder, 'hello')
  // the names that it chooses are random, so that the second run repeats the first
  for (const time of ['first', 'second']) {
    const { stdout, stderr } = await promisify(execFile)(script, [target], { env, timeout: 180_000 })
    assert.match(stdout, /^ahoy$/m, time)
    assert.match(stdout, /^hello again$/m)
    assert.match(stderr, /Deleted kept-example-[0-9a-f]+\.\nNo packages\.\n$/)
    const output = normalized(stdout)
      .replaceAll(folder, '/var/tmp')
      .replace(/Linux \S+/g, 'Linux')
      .replace(/example-[0-9a-f]+/g, 'example')
    assertGolden('ship-a-package.txt', output.replace(/_[0-9a-f]{32}/g, '_<md5>'))
    assert.ok(!existsSync(target), 'the packages removed their files')
  }
})
