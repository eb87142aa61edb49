import { strict as assert } from 'node:assert'
import { mkdirSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { installable, ServerProcess, serverEnvironment } from '@wharf/testkit'
import { freePort } from '../../testkit/src/free-port.ts'
import { exitCodes } from './exit-codes.ts'
import { run } from './run.ts'
import { CapturedIo, environmentOf, freshHome } from './testing/captured-io.ts'

const outageMs = 2000

test('a server that restarts', async (t) => {
  const port = await freePort('127.0.0.1')
  const server = new ServerProcess({ ...(await serverEnvironment(t)), WHARF_PORT: String(port) })
  t.after(() => server.stop())
  await server.start()
  const env = environmentOf(server.bootstrap)
  const folder = freshHome(t)
  // a failed test must not leave a command waiting
  const interruptible = (): CapturedIo => {
    const io = new CapturedIo({ env })
    t.after(() => io.interrupt())
    return io
  }
  const untilPrinted = async (io: CapturedIo, pattern: RegExp): Promise<void> => {
    for (let tries = 0; tries < 4000 && !pattern.test(io.stderrText); tries++) await delay(5)
    assert.match(io.stderrText, pattern)
  }
  const restart = async (): Promise<void> => {
    await server.kill()
    await delay(outageMs)
    await server.start()
  }

  await t.test('an upload resumes', async () => {
    const file = join(folder, 'large')
    writeFileSync(file, '')
    // sparse: no block on the disk, read as zeros
    truncateSync(file, 128 * 2 ** 20)
    const io = interruptible()
    const ended = run(['package', 'upload', file, '--type', 'demo', '--backup-storage'], io)
    // the server has the first slice of 64 MiB
    await untilPrinted(io, /large: [5-8]0%/)
    await restart()
    assert.equal(await ended, exitCodes.ok, io.stderrText)
    assert.match(
      io.stderrText,
      /Interrupted: the upload was interrupted: .*; retrying for up to 10 minutes\.\n(?:.*\n)*?Reconnected: the upload resumes at [1-9][\d.]* MiB\.\n(?:.*\n)*Uploaded large: 128\.0 MiB/,
    )
    assert.equal(io.stderrText.match(/Interrupted/g)?.length, 1)
  })

  await t.test('a command keeps waiting for its job and reports the outage', async () => {
    mkdirSync(join(folder, 'target'))
    const file = join(folder, 'slow.tar')
    writeFileSync(file, installable({ hooks: { install: 'sleep 4' } }))
    const upload = ['package', 'upload', file, '--type', 'demo', '--host', 'this-node', '--path']
    assert.equal(await run([...upload, join(folder, 'target/slow.tar')], new CapturedIo({ env })), exitCodes.ok)
    const io = interruptible()
    const ended = run(['package', 'install', 'slow', '--log'], io)
    await untilPrinted(io, /Step: /)
    await restart()
    assert.equal(await ended, exitCodes.ok, io.stderrText)
    assert.match(
      io.stderrText,
      /Interrupted: cannot reach .*; retrying for up to 10 minutes\.\n(?:.*\n)*?Reconnected: waiting for the job\.\n/,
    )
  })
})
