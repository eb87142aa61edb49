import { strict as assert } from 'node:assert'
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { ServerProcess } from '@wharf/testkit'

const root = fileURLToPath(new URL('..', import.meta.url))
const readme = readFileSync(join(root, 'README.md'), 'utf8')

const commandsOf = (name: string): string =>
  new RegExp(`\`\`\`sh ${name}\\n([\\s\\S]*?)\`\`\``).exec(readme)?.[1] ?? 'false'

test('the README works as it is written', async (t) => {
  // a checkout with a data folder of its own
  const folder = mkdtempSync(join(tmpdir(), 'wharf-readme-'))
  mkdirSync(join(folder, 'data'))
  for (const name of ['package.json', 'package-lock.json', 'scripts', 'packages', 'examples', 'node_modules'])
    symlinkSync(join(root, name), join(folder, name))
  const server = new ServerProcess({ WHARF_DATA: join(folder, 'data'), WHARF_PORT: '0' })
  t.after(async () => {
    await server.stop()
    rmSync(folder, { recursive: true })
    rmSync('/var/tmp/wharf-hello', { recursive: true, force: true })
  })
  await server.start()
  const run = async (commands: string): Promise<string> =>
    (await promisify(execFile)('bash', ['-euc', commands], { cwd: folder })).stdout

  await t.test('the first five minutes', async () => {
    const stdout = await run(commandsOf('first-five-minutes'))
    const answers = stdout
      .split(/(?<=\})(?=\{"invent)/)
      .map((text) => JSON.parse(text) as { success: boolean; inventory?: Named; inventories?: Named[] })
    const names = answers.map(({ inventory, inventories }) => inventory?.name ?? inventories?.map(({ name }) => name))
    assert.deepEqual(names, [['this-node'], 'blue', ['blue'], ['blue']])
    assert.ok(answers.every(({ success }) => success))
  })

  await t.test('the first package', async () => {
    const signedIn = commandsOf('first-five-minutes').split('# make something')[0]
    const stdout = await run(`${signedIn}\n${commandsOf('first-package')}`)
    assert.match(stdout, /\{\}ahoy\n(.*\n)*.*writing the greeting/)
  })
})

interface Named {
  name: string
}
