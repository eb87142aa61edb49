import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { hostsNeedRoot } from '@wharf/testkit'

const program = fileURLToPath(new URL('demo.ts', import.meta.url))
const left = (): string[] => readdirSync(tmpdir()).filter((name) => name.startsWith('wharf-demo-'))

test('the tour of the README comes to its end within two minutes, and leaves nothing behind', (t) => {
  const before = left()
  const began = performance.now()
  const { status, stdout, stderr } = spawnSync(process.execPath, [program], { encoding: 'utf8', timeout: 120_000 })
  t.diagnostic(`${Math.round((performance.now() - began) / 1000)} s`)
  assert.equal(status, 0, `${stdout}\n${stderr}`)
  const signs = ['it is installed', 'mentioned: 13800138000', 'all that it made is taken away']
  if (!hostsNeedRoot) signs.push('a cluster of the three forms', 'does not answer', 'Resolved')
  for (const sign of signs) assert.ok(stdout.includes(sign), `"${sign}" in ${stdout}`)
  assert.deepEqual(left(), before)
})
