import assert from 'node:assert/strict'
import { cpSync, mkdirSync, mkdtempSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { pathToFileURL } from 'node:url'

async function installation(t: TestContext, { isCheckout }: { isCheckout: boolean }) {
  const root = mkdtempSync(join(tmpdir(), 'wharf-bundle-'))
  t.after(() => rmSync(root, { recursive: true }))
  const at = (path: string): string => join(root, path)
  for (const folder of ['scripts', 'packages/platform/src', 'packages/server/dist'])
    mkdirSync(at(folder), { recursive: true })
  if (isCheckout) writeFileSync(at('scripts/ensure.cjs'), '')
  writeFileSync(at('source.ts'), '')
  cpSync(new URL('bundle.js', import.meta.url), at('packages/platform/src/bundle.js'))
  const bundles = (await import(at('packages/platform/src/bundle.js'))) as typeof import('./bundle.js')
  const write = (): void => {
    writeFileSync(at('entry.js'), '')
    const sources = [['source.ts', statSync(at('source.ts')).mtimeMs]]
    writeFileSync(at('packages/server/dist/bundle.json'), JSON.stringify({ entry: 'entry.js', sources }))
  }
  return { at, write, currentBundle: () => bundles.currentBundle('server'), entry: pathToFileURL(at('entry.js')).href }
}

test('a checkout uses its bundle until a source is changed or removed', async (t) => {
  const { at, write, currentBundle, entry } = await installation(t, { isCheckout: true })
  assert.equal(currentBundle(), undefined)
  write()
  assert.equal(currentBundle(), entry)
  utimesSync(at('source.ts'), 1, 1)
  assert.equal(currentBundle(), undefined)
  write()
  assert.equal(currentBundle(), entry)
  rmSync(at('source.ts'))
  assert.equal(currentBundle(), undefined)
})

test('a bundle that was removed, or whose record cannot be read, is not used', async (t) => {
  const { at, write, currentBundle } = await installation(t, { isCheckout: true })
  write()
  rmSync(at('entry.js'))
  assert.equal(currentBundle(), undefined)
  write()
  writeFileSync(at('packages/server/dist/bundle.json'), '{')
  assert.equal(currentBundle(), undefined)
})

test('an installation has the bundle of its sources, whatever their dates', async (t) => {
  const { at, write, currentBundle, entry } = await installation(t, { isCheckout: false })
  write()
  utimesSync(at('source.ts'), 1, 1)
  assert.equal(currentBundle(), entry)
})
