import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { readSettings } from '../composition/settings.ts'
import { banner } from './banner.ts'

test('the banner names the credentials that bootstrap.json has and the server accepts', (t) => {
  const data = mkdtempSync(join(tmpdir(), 'wharf-banner-'))
  t.after(() => rmSync(data, { recursive: true }))
  const shown = (credentials: object, localLogin: 'all' | 'none' = 'all'): string => {
    const settings = { ...readSettings({ WHARF_DATA: data }, { root: data }), localLogin }
    writeFileSync(join(data, 'bootstrap.json'), JSON.stringify(credentials))
    return banner(settings, { url: 'http://127.0.0.1:8080/wharf', plainUrl: undefined }, data)
  }
  const [password, accessKeySecret] = ['a password', 'a secret']
  assert.match(shown({ password, accessKeySecret }), /Sign in as admin with the password or the access key in /)
  assert.match(shown({ accessKeySecret }), /The access key of admin is in /)
  assert.match(shown({ password, accessKeySecret }, 'none'), /The access key of admin is in /)
  assert.match(shown({}), /it contains no credentials/)
})

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
