import assert from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { lockFolder } from './folder-lock.ts'
import { OperatorError } from './operator-error.ts'

const folder = mkdtempSync(join(tmpdir(), 'wharf-lock-'))
after(() => rmSync(folder, { recursive: true }))

const refusal = (text: RegExp) => (error: unknown) =>
  error instanceof OperatorError && text.test(error.message) && !error.message.includes('\n')

/** A process that acquires the lock, prints `held`, and keeps it until it is killed. */
async function holder(data: string): Promise<ChildProcess> {
  const program = `
    import { lockFolder } from ${JSON.stringify(import.meta.resolve('./folder-lock.ts'))}
    globalThis.lock = lockFolder(${JSON.stringify(data)})
    console.log('held')
    setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--input-type=module-typescript', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(child.stdout, 'data')
  return child
}

test('creates a folder for its owner only, and keeps the mode of an existing one', () => {
  const fresh = join(folder, 'a', 'b')
  lockFolder(fresh)[Symbol.dispose]()
  assert.equal(statSync(fresh).mode & 0o777, 0o700)
  chmodSync(fresh, 0o750)
  lockFolder(fresh)[Symbol.dispose]()
  assert.equal(statSync(fresh).mode & 0o777, 0o750)
})

test('is exclusive, also within one process, and can be acquired again after its release', () => {
  const data = join(folder, 'once')
  const first = lockFolder(data)
  assert.throws(() => lockFolder(data), refusal(/another wharf-server works in the data folder .*once/))
  first[Symbol.dispose]()
  lockFolder(data)[Symbol.dispose]()
})

test('refuses another process until the first one has ended, also after kill -9', async (t) => {
  const data = join(folder, 'killed')
  const child = await holder(data)
  t.after(() => child.kill('SIGKILL'))
  assert.throws(() => lockFolder(data), refusal(/another wharf-server/))
  child.kill('SIGKILL')
  await once(child, 'exit')
  lockFolder(data)[Symbol.dispose]()
})

test('names a folder that cannot be used, with the reason', () => {
  const file = join(folder, 'file')
  writeFileSync(file, '')
  assert.throws(() => lockFolder(file), refusal(/^the data folder .*file cannot be used: it is not a folder$/))
  assert.throws(() => lockFolder(join(file, 'below')), refusal(/cannot be used: not a directory$/))
})

test('refuses a folder that the user may not write to', () => {
  const readOnly = join(folder, 'read-only')
  mkdirSync(readOnly)
  chmodSync(folder, 0o711)
  chmodSync(readOnly, 0o555)
  // root may write everywhere, so another user tries
  const program = `
    import { lockFolder } from ${JSON.stringify(import.meta.resolve('./folder-lock.ts'))}
    if (process.getuid() === 0) process.setuid(65534)
    for (const folder of ${JSON.stringify([readOnly, join(readOnly, 'new')])})
      try { lockFolder(folder) } catch (error) { console.log(error.name, error.message) }`
  const { stdout } = spawnSync(process.execPath, ['--input-type=module-typescript', '-e', program], {
    encoding: 'utf8',
  })
  const refused = (data: string): string => `OperatorError the data folder ${data} cannot be used: permission denied\n`
  assert.equal(stdout, refused(readOnly) + refused(join(readOnly, 'new')))
})
