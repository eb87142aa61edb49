import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { installable, TestServer } from '@wharf/testkit'

const home = fileURLToPath(new URL('..', import.meta.url))
const program = [...readFileSync(join(home, 'README.md'), 'utf8').matchAll(/```ts\n([\s\S]*?)```/g)]
  .map(([, code]) => code)
  .join('\n')
/** The default packagesPath of a host. */
const packagesPath = userInfo().uid === 0 ? '/var/lib/wharf-packages' : join(homedir(), 'wharf-packages')

test('the examples of the README run in order', async () => {
  const server = await TestServer.start({ after })
  const folder = mkdtempSync(join(tmpdir(), 'wharf-sdk-readme-'))
  after(() => {
    for (const path of [folder, join(packagesPath, 'sdk-example')]) rmSync(path, { recursive: true, force: true })
  })
  mkdirSync(join(folder, 'node_modules/@wharf'), { recursive: true })
  symlinkSync(home, join(folder, 'node_modules/@wharf/sdk'))
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  writeFileSync(join(folder, 'example.ts'), program)
  const hooks = { install: 'echo moored', uninstall: 'echo cast off' }
  writeFileSync(join(folder, 'hello.tar'), installable({ hooks }))
  const { accessKeyId, accessKeySecret } = server.bootstrap
  const env = {
    ...process.env,
    WHARF_URL: server.url,
    WHARF_ACCESS_KEY_ID: accessKeyId,
    WHARF_ACCESS_KEY_SECRET: accessKeySecret,
  }
  const { stdout } = await promisify(execFile)(process.execPath, ['example.ts'], { cwd: folder, env, timeout: 60_000 })
  const expected = [/^1 \w{3} \d+, \d{4}/, /^this-node \d+$/m, /^\d+ operations, 1 hosts$/m, /^Uploaded [0-9a-f]{32}$/m]
  const later = [/moored/, /cast off/, /^SYS\.1003 404 .* undefined$/m, /^Created Tag [0-9a-f]{32}$/m, /^200 \[/m]
  for (const line of [...expected, ...later]) assert.match(stdout, line)
})
