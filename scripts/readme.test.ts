import { strict as assert } from 'node:assert'
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { ServerProcess } from '@wharf/testkit'

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')

test('the first five minutes of the README work as they are written', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'wharf-readme-'))
  mkdirSync(join(folder, 'data'))
  const server = new ServerProcess({ WHARF_DATA: join(folder, 'data'), WHARF_PORT: '0' })
  t.after(async () => {
    await server.stop()
    rmSync(folder, { recursive: true })
  })
  await server.start()
  const [, commands = ''] = /```sh first-five-minutes\n([\s\S]*?)```/.exec(readme) ?? []
  const { stdout } = await promisify(execFile)('bash', ['-euc', commands], { cwd: folder })
  const answers = stdout
    .split(/(?<=\})(?=\{"invent)/)
    .map(
      (text) =>
        JSON.parse(text) as { success: boolean; inventory?: { name: string }; inventories?: { name: string }[] },
    )
  assert.deepEqual(
    answers.map(({ success, inventory, inventories }) => [
      success,
      inventory?.name ?? inventories?.map((one) => one.name),
    ]),
    [
      [true, ['this-node']],
      [true, 'blue'],
      [true, ['blue']],
      [true, ['blue']],
    ],
  )
})
