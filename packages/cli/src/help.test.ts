import { strict as assert } from 'node:assert'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { type CommandSpec, type GroupSpec, isGroup } from './command.ts'
import { commandEntries } from './command-entries.ts'
import { runCaptured } from './testing/captured-io.ts'
import { assertGolden } from './testing/golden.ts'

async function* everyCommand(): AsyncGenerator<{ path: string[]; spec: CommandSpec | GroupSpec }> {
  function* below(
    path: string[],
    spec: CommandSpec | GroupSpec,
  ): Generator<{ path: string[]; spec: CommandSpec | GroupSpec }> {
    yield { path, spec }
    if (isGroup(spec)) for (const one of spec.commands) yield* below([...path, one.name], one)
  }
  for (const { load } of commandEntries) {
    const spec = await load()
    yield* below([spec.name], spec)
  }
}

/** Global options are in the help of `wharf` itself. */
const withoutGlobalOptions = (text: string): string => text.replace(/\nGlobal Options:\n(?: .*\n)+/, '')

test('the help of every command matches the golden file', async () => {
  const { code, stdout } = await runCaptured(['--help'])
  assert.equal(code, 0)
  const parts = [stdout]
  for await (const { path } of everyCommand()) {
    const { code, stdout } = await runCaptured([...path, '--help'])
    assert.equal(code, 0, path.join(' '))
    parts.push(withoutGlobalOptions(stdout))
  }
  assertGolden('help.txt', parts.join(`\n${'-'.repeat(80)}\n`))
})

test('every command has examples that begin with its name', async () => {
  for await (const { path, spec } of everyCommand()) {
    if (isGroup(spec)) continue
    const words = path.join(' ')
    assert.ok(spec.examples.length > 0, `${words} has no example`)
    const own = 'isDefault' in spec ? path.slice(0, -1).join(' ') : words
    for (const example of spec.examples)
      assert.ok(example.startsWith(own), `"${example}" is not an example of ${words}`)
  }
})

test('the summary of a group is the same before and after it is loaded', async () => {
  for (const { name, summary, load } of commandEntries) {
    const spec = await load()
    assert.deepEqual([spec.name, spec.summary], [name, summary])
  }
})

test('help does not load the SDK or the contract', () => {
  const main = fileURLToPath(new URL('main.ts', import.meta.url))
  // prints every module that is loaded
  const hook = `import { registerHooks } from 'node:module'; registerHooks({ load(url, context, next) {
    if (/(contract|sdk|announcer)\\/src/.test(url)) process.stderr.write(url); return next(url, context) } })`
  const hooked = ['--import', `data:text/javascript,${encodeURIComponent(hook)}`]
  const { stdout, stderr } = spawnSync(process.execPath, [...hooked, main, '--help'], { encoding: 'utf8' })
  assert.match(stdout, /Usage: wharf/)
  assert.equal(stderr, '')
})
