import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { test } from 'node:test'
import { hostileWords } from '@wharf/testkit'
import { anyCharacter } from '@wharf/testkit/any-character.ts'
import fc from 'fast-check'
import { maxCommandBytes, shellCommand } from './shell-words.ts'

/** What a program is given when this shell reads the command. */
function readBack(shell: string, words: readonly string[]): string[] {
  const command = shellCommand(['sh', '-c', `for word; do printf '%s\\0' "$word"; done`, 'sh', ...words])
  // the one program that is many
  const applet = shell.endsWith('/busybox') ? ['sh'] : []
  const { stdout, stderr } = spawnSync(shell, [...applet, '-c', command], { encoding: 'utf8' })
  assert.equal(stderr, '')
  return stdout.split('\0').slice(0, -1)
}

for (const shell of ['/bin/sh', '/bin/bash', '/bin/dash', '/bin/busybox', '/usr/bin/zsh', '/usr/bin/fish'].filter(
  existsSync,
)) {
  test(`${shell} reads every hostile word unchanged`, () => {
    assert.deepEqual(readBack(shell, hostileWords), hostileWords)
  })
}

test('random words are read unchanged', () => {
  const word = fc.string({ unit: anyCharacter }).map((text) => text.replaceAll('\0', '').toWellFormed())
  const words = fc.array(fc.oneof(word, fc.string({ unit: fc.constantFrom(...`'"\\\`$!*~\n -`) })), {
    maxLength: 40,
    size: 'max',
  })
  fc.assert(
    fc.property(words, fc.constantFrom('/bin/sh', '/bin/bash'), (list, shell) => {
      assert.deepEqual(readBack(shell, list), list)
    }),
    { numRuns: 20 },
  )
})

test('refuses arguments that no program can receive', () => {
  assert.throws(() => shellCommand(['a\0b']), { code: 'SYS.1007', message: /NUL/ })
  assert.throws(() => shellCommand(['x'.repeat(maxCommandBytes)]), { code: 'SYS.1007', message: /bytes/ })
})
