import { strict as assert } from 'node:assert'
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { ServerProcess, testLong, wharfCommand } from '@wharf/testkit'

const root = fileURLToPath(new URL('..', import.meta.url))

/** The code block of a document with this name. */
const commandsOf = (file: string, name: string): string =>
  new RegExp(`\`\`\`sh ${name}\\n([\\s\\S]*?)\`\`\``).exec(readFileSync(join(root, file), 'utf8'))?.[1] ?? 'false'

// a checkout with its own data folder
const folder = mkdtempSync(join(tmpdir(), 'wharf-readme-'))
for (const name of ['data', 'bin']) mkdirSync(join(folder, name))
const linked = ['package.json', 'package-lock.json', 'scripts', 'packages', 'examples', 'node_modules', 'bin/wharf']
for (const name of linked) symlinkSync(join(root, name), join(folder, name))
const server = new ServerProcess({ WHARF_DATA: join(folder, 'data'), WHARF_PORT: '0' })
after(async () => {
  await server.stop()
  rmSync(folder, { recursive: true })
})
await server.start()
// the CLI finds the server of its own checkout, which here is the one of the tests
const env = { ...process.env, HOME: folder, WHARF_DATA: join(folder, 'data') }
const run = async (written: string): Promise<string> => {
  // another user of this machine may own the paths in the documents
  const commands = written.replaceAll('/var/tmp/', `${folder}/`)
  const { stdout, stderr } = await promisify(execFile)('bash', ['-euc', commands], {
    cwd: folder,
    env,
    timeout: 100_000,
  })
  for (const [, line = ''] of commands.matchAll(/^#> (.*)$/gm))
    assert.ok(`${stdout}${stderr}`.includes(line), `${line}\n\n${stdout}${stderr}`)
  return stdout
}

/** The program `wharf` from its bundle, which starts in half the time, once the file in the checkout has been used. */
function bundleCommand(): void {
  const path = join(folder, 'bin/wharf')
  rmSync(path)
  writeFileSync(path, `#!/bin/sh\nexec ${wharfCommand.join(' ')} "$@"\n`, { mode: 0o700 })
}

test('README: the first five minutes', async () => {
  assert.match(await run(commandsOf('README.md', 'first-five-minutes')), /"name": "blue"/)
  bundleCommand()
})

test('README: the first package', async () => {
  assert.match(await run(commandsOf('README.md', 'first-package')), /^ahoy$/m)
})

testLong('docs/cli.md: npx finds the CLI', async () => {
  const { stdout } = await promisify(execFile)('npx', ['wharf', 'host', 'list'], { cwd: root, env })
  assert.match(stdout, /^this-node /m)
})

test('docs/cli.md: a key for a script', async () => {
  assert.match(await run(commandsOf('docs/cli.md', 'key-file')), /^role +admin$/m)
})

test('docs/cli.md: forms of output', async () => {
  assert.match(await run(commandsOf('docs/cli.md', 'output-forms')), /^driver: local$/m)
})

test('docs/writing-a-client.md: curl alone', async () => {
  const stdout = await run(commandsOf('docs/writing-a-client.md', 'curl-alone'))
  const answers = stdout
    .split(/(?<=\})(?=\{"invent)/)
    .map((text) => JSON.parse(text) as { success: boolean; inventory?: Named; inventories?: Named[] })
  const names = answers.map(({ inventory, inventories }) => inventory?.name ?? inventories?.map(({ name }) => name))
  assert.deepEqual(names, [['this-node'], 'green', ['green'], ['blue', 'green']])
  assert.ok(answers.every(({ success }) => success))
})

test('docs/writing-a-client.md: signed with openssl', async () => {
  const stdout = await run(commandsOf('docs/writing-a-client.md', 'curl-signed'))
  const [created, found] = stdout.split(/(?<=\})(?=\{"invent)/).map((text) => JSON.parse(text))
  assert.deepEqual([created.inventory.name, found.inventories[0].name], ['signed', 'signed'])
})

test('docs/writing-a-client.md: a package with curl', async () => {
  const signedIn = commandsOf('docs/writing-a-client.md', 'curl-alone').split('# create a tag')[0]
  const [build = '', ...others] = commandsOf('docs/writing-a-client.md', 'curl-package').split('\n')
  assert.ok(commandsOf('README.md', 'first-package').startsWith(build), 'the first package was built in the same way')
  const stdout = await run([signedIn, ...others].join('\n'))
  assert.match(stdout, /\{\}ahoy\n(.*\n)*.*writing the greeting/)
})

test('docs/audit.md: the trail is read, exported and verified offline', async () => {
  for (const name of ['audit-read', 'audit-key', 'audit-verify']) await run(commandsOf('docs/audit.md', name))
})

// packages/cli/src/commands/rollout.slow.test.ts runs the same commands in this process
testLong('docs/rollouts.md: a worked example', async () => {
  assert.match(await run(commandsOf('docs/rollouts.md', 'rollout')), /^ahoy from web-3\n$/m)
})

interface Named {
  name: string
}
