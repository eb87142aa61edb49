import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { readSettings } from '../composition/settings.ts'
import { banner } from './banner.ts'

test('the banner names existing commands, of a checkout or of an installation', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'wharf-banner-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const settings = readSettings({ WHARF_DATA: join(folder, 'data') }, { root: folder })
  const shown = (): string => banner(settings, { url: 'http://127.0.0.1:8080/wharf', plainUrl: undefined }, folder)
  assert.ok(shown().includes(`  ${folder}/bin/wharf doctor: `))
  assert.ok(shown().includes(`  ${folder}/docs/operating.md: `))
  assert.doesNotMatch(shown(), /npx|checkout|README/)

  mkdirSync(join(folder, 'scripts'))
  writeFileSync(join(folder, 'scripts/ensure.cjs'), '')
  assert.match(shown(), /bin\/wharf doctor, in this checkout: /)
  assert.match(shown(), /README\.md, "First five minutes"/)
})
