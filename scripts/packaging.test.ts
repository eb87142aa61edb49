import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const unit = readFileSync(join(root, 'packaging/wharf.service'), 'utf8')

function complaints(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'wharf-unit-'))
  const file = join(folder, 'wharf.service')
  writeFileSync(file, text)
  const { stdout, stderr, error } = spawnSync('systemd-analyze', ['verify', '--man=no', file], { encoding: 'utf8' })
  rmSync(folder, { recursive: true })
  if (error) throw error
  return `${stdout}${stderr}`
}

test('systemd takes the unit as it is, once Wharf is where it says', () => {
  assert.match(unit, /^ExecStart=\/opt\/wharf\/bin\/wharf-server$/m)
  assert.equal(complaints(unit.replace('=/opt/wharf/bin', `=${root}bin`)), '')
})

test('systemd would complain of a word it does not know', () => {
  assert.match(complaints(unit.replace('=/opt/wharf/bin', `=${root}bin`).replace('KillMode', 'KillMood')), /KillMood/)
})
