import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { fenceWords } from './fence.ts'
import { incompleteInputExitCode } from './file-failure.ts'
import { markerLength, newMarker } from './marker.ts'
import { putScript } from './put-script.ts'

const busybox = spawnSync('sh', ['-c', 'command -v busybox'], { encoding: 'utf8' }).stdout.trim()

/** Starts the script for a file of this size; its input stays open. */
function start(t: TestContext, size: number, path = process.env.PATH) {
  const folder = mkdtempSync(join(tmpdir(), 'wharf-put-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const marker = newMarker()
  const args = ['-c', putScript, marker, ...fenceWords(), join(folder, 'new', 'file'), '', 'yes', String(size)]
  const child = spawn('sh', args, { env: { PATH: path, HOME: folder } })
  t.after(() => void child.kill())
  return { folder, marker, child }
}

for (const head of ['head', 'busybox'])
  test(`the end of a file is found while the input stays open, with ${head}`, async (t) => {
    if (head === 'busybox' && busybox === '') return t.skip('busybox is not installed')
    const programs = mkdtempSync(join(tmpdir(), 'wharf-head-'))
    t.after(() => rmSync(programs, { recursive: true }))
    // reads more than it needs
    if (head === 'busybox') symlinkSync(busybox, join(programs, 'head'))
    const bytes = randomBytes(70_000)
    const { folder, marker, child } = start(t, bytes.length, `${programs}:${process.env.PATH}`)
    child.stdin.write(bytes)
    let output = ''
    for await (const chunk of child.stdout) {
      output += chunk
      if (output.endsWith(`\n${marker} received\n`)) child.stdin.write(`${marker}\n`)
    }
    assert.deepEqual(readFileSync(join(folder, 'new', 'file')), bytes)
    assert.deepEqual(readdirSync(join(folder, 'new')), ['file'])
  })

test('input that ends early, or with something else, leaves nothing', async (t) => {
  for (const end of ['', 's', 's\n', `s${'x'.repeat(markerLength)}\n`]) {
    const { folder, child } = start(t, 5)
    child.stdin.end(`byte${end}`)
    const [exitCode] = await once(child, 'exit')
    assert.equal(exitCode, incompleteInputExitCode)
    assert.deepEqual(readdirSync(join(folder, 'new')), [])
  }
})
