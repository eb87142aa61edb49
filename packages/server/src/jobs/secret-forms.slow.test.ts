import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { LogBuffer } from './log-buffer.ts'

const secrets = [
  'hunter2-and-more',
  `it's "50 %" of $HOME\\n & <\`x\`>`,
  'sécrèt-日本-🔑-word',
  'back\\slash/and/slashes',
  'tab\tand spaces',
  'two lines of it\nwith an é each',
]

/** Programs that print the text in $1. */
const printers: Record<string, string> = {
  'as it is': `printf '%s' "$1"`,
  'traced by sh': 'set -x; : "$1"',
  'traced by bash': `exec bash -c 'set -x; : "$1"' bash "$1"`,
  'quoted by bash': `exec bash -c 'printf "%q %s" "$1" "\${1@Q}"' bash "$1"`,
  'declared by bash': `exec bash -c 'v=$1; declare -p v' bash "$1"`,
  'as base64': `printf '%s' "$1" | base64 -w0`,
  'as base64 of a line': `printf '%s\\n' "$1" | base64 -w0`,
  'as Basic authorization': `printf 'ad:%s' "$1" | base64 -w0`,
  'as Basic authorization of a longer name': `printf 'admin:%s' "$1" | base64 -w0`,
}

for (const [name, script] of Object.entries(printers))
  test(`a secret is masked ${name}`, () => {
    for (const secret of secrets.filter((one) => !one.includes('\n') || name === 'as it is')) {
      // bash escapes tabs and unknown letters in a form of its own
      if (name.endsWith('bash') && /[^ -~]/.test(secret)) continue
      const { stdout, stderr } = spawnSync('sh', ['-c', script, 'sh', secret], { encoding: 'utf8' })
      const buffer = new LogBuffer(0)
      buffer.conceal(secret)
      const masked = buffer.mask(`before ${stdout}${stderr} after`)
      assert.match(masked, /\[secret\]/, masked)
      for (const word of secret.split(/[^\p{L}\p{N}]+/u).filter(({ length }) => length > 4))
        assert.ok(!masked.includes(word), masked)
    }
  })

test('a secret is masked in JSON, in JSON within JSON, and in a URL', () => {
  for (const secret of secrets) {
    const buffer = new LogBuffer(0)
    buffer.conceal(secret)
    const ascii = JSON.stringify(secret).replaceAll(
      /[^ -~]/g,
      (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`,
    )
    for (const text of [
      JSON.stringify({ secret }),
      ascii,
      JSON.stringify(JSON.stringify({ secret })),
      encodeURIComponent(secret),
    ]) {
      const masked = buffer.mask(text)
      assert.ok(masked.replace('[secret]', '').length <= text.length - secret.length, `${text} became ${masked}`)
    }
  }
})

test('every later owner of a job conceals the same secrets', () => {
  let buffer = new LogBuffer(0)
  buffer.conceal('a "quoted" secret')
  for (let owners = 0; owners < 5; owners++) buffer = new LogBuffer(0, buffer.concealed)
  assert.deepEqual(buffer.concealed, ['a "quoted" secret'])
})

test('a thousand secrets with a common prefix are masked in bounded time', () => {
  const buffer = new LogBuffer(0)
  for (let length = 1000; length < 2000; length++) buffer.conceal(`${'a'.repeat(length)}b`)
  const masked = buffer.mask(`before ${'a'.repeat(8000)}`)
  assert.ok(masked.startsWith('before '))
  assert.ok(masked.endsWith('[secret]') && !masked.includes('a'.repeat(7900)), `${masked.length} characters`)
  assert.equal(buffer.mask(`x${'a'.repeat(1999)}by`), 'x[secret]y', 'the longest match is masked')
  assert.equal(buffer.mask('an aardvark'), 'an aardvark')
})
