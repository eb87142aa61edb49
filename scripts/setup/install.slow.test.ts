import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { testLong } from '@wharf/testkit/test-long.ts'
import { PackageRegistry } from './package-registry.ts'

const scripts = fileURLToPath(new URL('..', import.meta.url))
const outerNode = process.env.npm_node_execpath ?? process.execPath
const platform = { os: [process.platform], cpu: [process.arch] }

/** A Node that only prints its version. */
const runtimeOf = (version: string): Record<string, string> => ({
  'bin/node': `#!/bin/sh\n[ "$1" = --version ] && echo v${version} && exit\nexec sh "$@"\n`,
})

const runtime = { name: 'node-here', version: '26.0.0', ...platform, bin: { node: 'bin/node' } }
const elsewhere = { name: 'node-elsewhere', version: '26.0.0', os: ['none'], cpu: ['none'], bin: { node: 'bin/node' } }
const tool = { name: 'tool', version: '1.0.0' }
/** npm skips it, since no Node is that new. */
const binding = { name: 'tool-binding', version: '1.0.0', ...platform, engines: { node: '>=999' } }
const bindingElsewhere = { ...binding, name: 'tool-binding-elsewhere', cpu: ['none'] }
const optional = [runtime, elsewhere, binding, bindingElsewhere]

interface Run {
  readonly exitCode: number
  readonly stdout: string
  readonly stderr: string
}

/** A checkout with few dependencies, and a registry that contains them. */
class SmallCheckout {
  readonly folder: string
  readonly registry: PackageRegistry

  private constructor(folder: string, registry: PackageRegistry) {
    this.folder = folder
    this.registry = registry
  }

  static async make(t: TestContext, runtimeVersion = runtime.version): Promise<SmallCheckout> {
    const folder = mkdtempSync(join(tmpdir(), 'wharf-checkout-'))
    t.after(() => rmSync(folder, { recursive: true }))
    const registry = await PackageRegistry.start(t)
    for (const name of ['ensure.cjs', 'run', 'setup'])
      cpSync(join(scripts, name), join(folder, 'scripts', name), { recursive: true })
    writeFileSync(join(folder, 'scripts/hello'), 'echo "hello $*"; exit 7')
    const versions = (all: readonly { name: string; version: string }[]) =>
      Object.fromEntries(all.map(({ name, version }) => [name, version]))
    const manifest = {
      name: 'small',
      version: '1.0.0',
      engines: { node: '>=20' },
      dependencies: versions([tool]),
      optionalDependencies: versions(optional),
    }
    const locked = [
      ['', manifest],
      [`node_modules/${tool.name}`, { ...tool, integrity: registry.add(tool) }],
      ...optional.map((one) => {
        const integrity = registry.add(one, 'bin' in one ? runtimeOf(runtimeVersion) : {})
        return [`node_modules/${one.name}`, { ...one, integrity, optional: true }]
      }),
    ]
    const lock = { lockfileVersion: 3, requires: true, packages: Object.fromEntries(locked) }
    writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest))
    writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ name: 'small', version: '1.0.0', ...lock }))
    return new SmallCheckout(folder, registry)
  }

  /** By default like the versions of npm that do not link programs. */
  async run(program = 'scripts/run', args = ['scripts/hello', 'a', 'b c'], env: NodeJS.ProcessEnv = {}): Promise<Run> {
    const { PATH, npm_execpath } = process.env
    const settings = { npm_config_registry: this.registry.url, npm_config_cache: join(this.folder, 'cache') }
    return promisify(execFile)(program, args, {
      cwd: this.folder,
      env: {
        PATH,
        HOME: this.folder,
        npm_node_execpath: outerNode,
        npm_config_bin_links: 'false',
        ...(npm_execpath === undefined ? {} : { npm_execpath }),
        ...settings,
        ...env,
      },
    }).then(
      (done) => ({ exitCode: 0, ...done }),
      ({ code, stdout, stderr }: Error & { code: number; stdout: string; stderr: string }) => ({
        exitCode: code,
        stdout,
        stderr,
      }),
    )
  }

  has(path: string): boolean {
    return existsSync(join(this.folder, 'node_modules', path))
  }

  /** A failed installation leaves no stamp, so that the next one repeats it. */
  isStamped(): boolean {
    return this.has('.wharf/installed') || this.has('.wharf/node')
  }
}

/** Exactly one line, with the common prefix. */
function assertRefused({ exitCode, stderr }: Run, reason: RegExp): void {
  assert.equal(exitCode, 1, stderr)
  const lines = stderr.split('\n').filter((line) => line.startsWith('Wharf cannot be installed: '))
  assert.equal(lines.length, 1, stderr)
  assert.match(lines[0] ?? '', reason)
  assert.doesNotMatch(stderr, /^\s+at /m)
}

test('installs everything that is locked, or nothing, and runs programs with their arguments and exit code', async (t) => {
  const checkout = await SmallCheckout.make(t)
  const hello = [7, 'hello a b c\n']

  await t.test('an installation without a package of this platform is refused and not stamped', async () => {
    const restore = [runtime, binding].map(({ name }) => checkout.registry.withdraw(name))
    assertRefused(await checkout.run(), /npm did not install node_modules\/node-here, node_modules\/tool-binding/)
    assert.ok(!checkout.isStamped())
    for (const put of restore) put()
  })

  await t.test('it is repeated until it succeeds, without a link in .bin', async () => {
    const first = await checkout.run()
    assert.deepEqual([first.exitCode, first.stdout], hello, first.stderr)
    assert.ok(!checkout.has('.bin'))
    for (const { name } of [runtime, tool, binding]) assert.ok(checkout.has(`${name}/package.json`), name)
    for (const { name } of [elsewhere, bindingElsewhere]) assert.ok(!checkout.has(name), name)
  })

  await t.test('the next run requests nothing', async () => {
    const requestCount = checkout.registry.requests.length
    const second = await checkout.run()
    assert.deepEqual([second.exitCode, second.stdout, second.stderr], [...hello, ''])
    assert.equal(checkout.registry.requests.length, requestCount)
  })
})

test('a package whose bytes are not the locked ones is refused', async (t) => {
  const checkout = await SmallCheckout.make(t)
  checkout.registry.withdraw(binding.name)
  checkout.registry.add(binding, { 'more.js': 'hostile()' })
  assertRefused(await checkout.run(), /tool-binding .*package-lock\.json/)
  assert.ok(!checkout.isStamped())
})

// npm takes seconds for each of the next two
testLong(
  'without a network it fails within 10 s and names the offline tarball, and keeps what is installed',
  async (t) => {
    const checkout = await SmallCheckout.make(t)
    await checkout.run()
    rmSync(join(checkout.folder, 'node_modules/.wharf'), { recursive: true })
    const started = performance.now()
    const refused = await checkout.run(undefined, undefined, { npm_config_registry: 'http://127.0.0.1:1' })
    assert.ok(performance.now() - started < 10_000)
    assertRefused(refused, /127\.0\.0\.1: ECONNREFUSED.*npm run pack:offline.*docs\/operating\.md/)
    assert.ok(checkout.has('tool/package.json'))
  },
)

testLong('a runtime that does not print the pinned version is refused', async (t) => {
  const checkout = await SmallCheckout.make(t, '18.0.0')
  assertRefused(await checkout.run(), /does not run as Node 26\.0\.0 on this machine: v18\.0\.0/)
  assert.ok(!checkout.isStamped())
})

test('a Node that is too old is refused with one line, before any request or file', async (t) => {
  const checkout = await SmallCheckout.make(t)
  const old = join(checkout.folder, 'old.cjs')
  writeFileSync(old, "Object.defineProperty(process.versions, 'node', { value: '18.20.8' })")
  const refused = await checkout.run(outerNode, ['--require', old, 'scripts/ensure.cjs'])
  assertRefused(refused, /requires Node 20 or newer, and .*node.* is Node 18\.20\.8$/)
  assert.equal(refused.stderr.split('\n').length, 2)
  assert.equal(checkout.registry.requests.length, 0)
  assert.ok(!existsSync(join(checkout.folder, 'node_modules')))
})
