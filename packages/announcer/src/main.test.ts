import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const program = fileURLToPath(new URL('./main.ts', import.meta.url))

for (const { args, status, stdout, stderr } of [
  { args: ['--help'], status: 0, stdout: /--print-avahi/, stderr: /^$/ },
  { args: ['--print-avahi', '--sn', 'SN-7'], status: 0, stdout: /<txt-record>sn=SN-7</, stderr: /^$/ },
  {
    args: ['--serial'],
    status: 2,
    stdout: /^$/,
    stderr: /^wharf-host-announcer: Unknown option '--serial': see --help\n$/,
  },
  { args: ['--sn'], status: 2, stdout: /^$/, stderr: /argument missing/ },
])
  test(`runs with ${args.join(' ')}`, () => {
    const ended = spawnSync(process.execPath, [program, ...args], { encoding: 'utf8' })
    assert.equal(ended.status, status)
    assert.match(ended.stdout, stdout)
    assert.match(ended.stderr, stderr)
  })
