import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { TestServer } from '@wharf/testkit'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'wharf-sdk-packed-'))
after(() => rmSync(folder, { recursive: true, force: true }))
const run = async (program: string, ...options: string[]): Promise<string> =>
  (await promisify(execFile)(program, options, { cwd: folder, timeout: 100_000 })).stdout

const program = (types: boolean, url: string, id: string, secret: string): string => `
import { writeFileSync } from 'node:fs'
import { Wharf } from '@wharf/sdk'
import { queryTag } from '@wharf/sdk/contract'
const wharf = new Wharf({ url: '${url}', accessKey: { id: '${id}', secret: '${secret}' } })
const { inventory } = await wharf.tags.create({ name: 'packed' })
const found${types ? ': number | undefined' : ''} = (await wharf.call(queryTag, { count: true })).total
writeFileSync('plain.txt', 'no archive')
const [host] = await Array.fromAsync(wharf.hosts.all())
const target = { hostUuid: host${types ? '!' : ''}.uuid, type: 'demo', installPath: '${folder}/stored.txt' }
const { status } = await wharf.upload('plain.txt', target).done
console.log(inventory.name, found, status)
`

test('the package has no dependencies, and runs in an empty folder', async () => {
  const server = await TestServer.start({ after })
  const { accessKeyId: id, accessKeySecret: secret } = server.bootstrap
  const packed = await run(process.execPath, join(root, 'scripts/pack.ts'), folder, 'sdk')
  writeFileSync(join(folder, 'package.json'), '{"private":true,"type":"module"}')
  // as npm does, which takes seconds for it; it installs the packed command in packages/cli/src/packed.slow.test.ts
  const installed = join(folder, 'node_modules/@wharf/sdk')
  mkdirSync(installed, { recursive: true })
  await run('tar', '-xzf', packed.trim(), '-C', installed, '--strip-components=1')
  const { dependencies, optionalDependencies, scripts } = JSON.parse(
    readFileSync(join(installed, 'package.json'), 'utf8'),
  )
  assert.deepEqual([dependencies, optionalDependencies, scripts], [undefined, undefined, undefined])
  writeFileSync(join(folder, 'example.mjs'), program(false, server.url, id, secret))
  assert.equal(await run(process.execPath, 'example.mjs'), 'packed 1 Uploaded\n')

  writeFileSync(join(folder, 'typed.ts'), program(true, server.url, id, secret).replace('.name,', '.nmae,'))
  const strict = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'esnext', '--types', 'node']
  // of the declarations themselves only test:long checks each line; a type that is missing would hide the mistake below
  const checked = process.env.TEST_LONG ? [] : ['--skipLibCheck']
  const types = ['--typeRoots', join(root, 'node_modules/@types'), ...checked]
  const tsc = join(root, 'node_modules/@typescript/native/bin/tsc')
  const compiled = await run(process.execPath, tsc, ...strict, ...types, 'typed.ts').catch(
    ({ stdout }: { stdout: string }) => stdout,
  )
  // only the deliberate mistake fails to compile
  assert.match(compiled, /^typed\.ts\(\d+,\d+\): error TS\d+: Property 'nmae' does not exist[^\n]*\n$/)
})
