import { strict as assert } from 'node:assert'
import { execFile } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { weightOf } from './dependency-weight.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

/** | name | our packages that use it | purpose | why not our own | installs | MB | */
const listed = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8')
  .split('\n')
  .map((line) => line.split(/ ?\| ?/).slice(1, -1))
  .filter((cells) => cells.length === 6 && /^[\d.]+$/.test(cells[5] ?? ''))
  .map(([name = '', users = '', purpose = '', reason = '', brings, megabytes]) => {
    return { name, users: users.split(', '), purpose, reason, brings: Number(brings), megabytes: Number(megabytes) }
  })

test('ARCHITECTURE.md lists exactly the direct dependencies, with their sizes', () => {
  const declared = globSync('packages/*/package.json', { cwd: root }).flatMap((file) => {
    const { dependencies = {} } = JSON.parse(readFileSync(join(root, file), 'utf8')) as Partial<Record<string, object>>
    const user = basename(dirname(file))
    // the testkit is not shipped
    return user === 'testkit' ? [] : Object.keys(dependencies).map((name) => ({ name, user }))
  })
  const foreign = declared
    .filter(({ name }) => !name.startsWith('@wharf/'))
    .map(({ name, user }) => `${name} in ${user}`)
  assert.deepEqual(
    listed.flatMap(({ name, users }) => users.map((user) => `${name} in ${user}`)).sort(),
    foreign.sort(),
  )

  for (const { name, users, purpose, reason, ...documented } of listed) {
    assert.ok(purpose.length > 3 && reason.length > 3, `${name} has no reason`)
    const { brings, bytes } = weightOf(root, `packages/${users[0]}`, name)
    assert.equal(documented.brings, brings, `${name} installs ${brings} packages`)
    // sizes differ a little from system to system
    const megabytes = bytes / 1e6
    const isRight = Math.abs(documented.megabytes - megabytes) <= 0.2 + 0.2 * megabytes
    assert.ok(isRight, `${name} has ${megabytes.toFixed(1)} MB`)
  }
})

test('a server without S3 storage does not load the S3 client', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'wharf-dependencies-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const program = `
    import { registerHooks } from 'node:module'
    const loaded = []
    registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) })
    const { startApp } = await import('@wharf/server/composition/app.ts')
    const { readSettings } = await import('@wharf/server/composition/settings.ts')
    const { makeLog } = await import('@wharf/platform/log.ts')
    const app = await startApp({ settings: readSettings(process.env, { root: '/' }), log: makeLog('silent') })
    const before = loaded.filter((url) => url.includes('@aws-sdk')).length
    await import('@wharf/server/resources/backup-storage/drivers/s3-driver.ts')
    await import('@aws-sdk/client-s3')
    const after = loaded.filter((url) => url.includes('@aws-sdk')).length
    await app.close()
    console.log(JSON.stringify({ all: loaded.length, before, after }))`
  const { PATH, NODE_COMPILE_CACHE } = process.env
  const env = { PATH, NODE_COMPILE_CACHE, WHARF_DATA: folder, WHARF_PORT: '0', WHARF_DISCOVERY: 'none' }
  const args = ['--input-type=module-typescript', '--eval', program]
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: join(root, 'packages/testkit'), env })
  const { all, before, after } = JSON.parse(stdout) as { all: number; before: number; after: number }
  assert.ok(all > 200, 'the whole server was loaded')
  assert.equal(before, 0)
  assert.ok(after > 0, 'the hook sees modules of S3')
})

test('npm runs no script of an installed package, and ours do not rely on such scripts', () => {
  const settings = readFileSync(join(root, '.npmrc'), 'utf8').split('\n')
  assert.ok(settings.includes('ignore-scripts=true'))
  for (const file of ['package.json', ...globSync('packages/*/package.json', { cwd: root })]) {
    const { scripts = {} } = JSON.parse(readFileSync(join(root, file), 'utf8')) as { scripts?: object }
    const unused = Object.keys(scripts).filter((name) => /^(pre|post|install)/.test(name))
    assert.deepEqual(unused, [], `${file}: npm ignores these`)
  }
})

test('every locked package has a digest, and none names a registry', () => {
  const text = readFileSync(join(root, 'package-lock.json'), 'utf8')
  const { packages } = JSON.parse(text) as { packages: Record<string, { link?: true; integrity?: string }> }
  const fetched = Object.entries(packages).filter(([path, { link }]) => path.includes('node_modules/') && !link)
  assert.ok(fetched.length > 100)
  const digest = /^sha512-[A-Za-z0-9+/]{86}==$/
  const without = fetched.filter(([, { integrity }]) => !digest.test(integrity ?? '')).map(([path]) => path)
  assert.deepEqual(without, [], 'add the dist.integrity of the registry, or remove what the registry does not have')
  assert.doesNotMatch(text, /"resolved": "(?!packages\/)/)
})
