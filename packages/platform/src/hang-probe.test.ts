import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, open, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { HangProbe } from './hang-probe.ts'

test('a busy thread pool is not reported as a hanging disk', { timeout: 20_000 }, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'wharf-probe-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const probe = new HangProbe(folder)
  // opening a pipe without a writer blocks a thread of the pool
  const pipes = Array.from({ length: 16 }, (_, n) => join(folder, `pipe-${n}`))
  execFileSync('mkfifo', pipes)
  const opened = pipes.map((pipe) => new Promise<void>((resolve) => open(pipe, 'r', () => resolve())))
  await probe.confirm()
  assert.equal(probe.hanging, undefined)
  await probe.confirm()
  probe.stop()
  execFileSync('sh', ['-c', 'for pipe; do : >"$pipe"; done', 'sh', ...pipes])
  await Promise.all(opened)
})

test('a process that was suspended during a write does not report a hanging disk', { timeout: 20_000 }, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'wharf-probe-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const probe = new HangProbe(folder)
  t.after(() => probe.stop())
  const confirmed = probe.confirm()
  // longer than the limit of a write
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 3200)
  await confirmed
  assert.equal(probe.hanging, undefined)
})
