import { strict as assert } from 'node:assert'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { exitCodes } from './exit-codes.ts'
import { runCaptured } from './testing/captured-io.ts'

const script = readFileSync(new URL('../../../examples/ship-a-package.sh', import.meta.url), 'utf8')

/** A command of a group, such as `package upload`, or one of its own, and the rest of its line. */
const commands = [...script.matchAll(/\bwharf (usage|[a-z]+ [a-z]+)(.*)/g)]

test('examples/ship-a-package.sh uses commands and options that exist; example-script.long.test.ts runs it', async () => {
  assert.ok(commands.length > 10)
  for (const [, command = '', rest = ''] of commands) {
    const { code, stdout } = await runCaptured([...command.split(' '), '--help'])
    assert.equal(code, exitCodes.ok, command)
    for (const [option] of rest.matchAll(/--[a-z-]+/g)) assert.ok(stdout.includes(option), `${command} ${option}`)
  }
})
