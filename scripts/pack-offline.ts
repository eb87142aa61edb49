// `npm run pack:offline [-- FOLDER]`: one tarball with everything that Wharf needs to run, including Node, for machines
// without a registry. Build it where a registry is available, on the same platform.
import { execFileSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ensureConsole } from './build-console.ts'
import { buildPackage } from './build-packages.ts'
import { ensurePrograms } from './build-programs.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
const name = `wharf-${version}-${process.platform}-${process.arch}`

/** The programs and every package of ours that they depend on. The console is included as built. */
const runtimePackages = packagesOf('server', 'sdk', 'cli')
const included = [
  ...runtimePackages.map((folder) => `packages/${folder}`),
  'bin',
  'docs',
  'examples',
  'packaging',
  'LICENSE',
  'package.json',
  'package-lock.json',
  '.npmrc',
]

const target = resolve(process.argv[2] ?? join(root, 'dist'))
const tarball = join(target, `${name}.tar.gz`)
const work = mkdtempSync(join(tmpdir(), 'wharf-offline-'))
try {
  await ensureConsole()
  await ensurePrograms()
  const stage = join(work, name)
  copySources(stage)
  // the README of the repository describes a checkout
  cpSync(join(root, 'packaging/tarball.md'), join(stage, 'README.md'))
  cpSync(join(root, 'packages/console/dist'), join(stage, 'packages/console/dist'), { recursive: true })
  for (const program of ['server', 'cli']) copyBundle(program, stage)
  // the built example, since the tarball contains no build scripts
  await buildPackage(join(root, 'examples/packages/hello'), join(stage, 'examples/packages/dist'))
  installRuntime(stage)
  mkdirSync(target, { recursive: true })
  // the same files make the same tarball: sorted names, fixed owner and date
  const same = ['--sort=name', '--owner=0', '--group=0', '--numeric-owner', '--mtime=@0']
  execFileSync('tar', ['--create', '--gzip', `--file=${tarball}`, ...same, `--directory=${work}`, name])
  process.stdout.write(`${tarball}\n`)
} finally {
  rmSync(work, { recursive: true, force: true })
}

/** Files that git tracks or would add, without tests. */
function copySources(stage: string): void {
  const which = ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--', ...included]
  const listed = execFileSync('git', which, { cwd: root, encoding: 'utf8' }).split('\0')
  for (const file of listed.filter(
    (path) => path !== '' && existsSync(join(root, path)) && !/\.test\.ts$|\/testing\//.test(path),
  )) {
    mkdirSync(dirname(join(stage, file)), { recursive: true })
    cpSync(join(root, file), join(stage, file))
  }
}

/** Without the dates of its sources, which differ between checkouts. */
function copyBundle(program: string, stage: string): void {
  const record = `packages/${program}/dist/bundle.json`
  const { entry } = JSON.parse(readFileSync(join(root, record), 'utf8')) as { entry: string }
  cpSync(join(root, dirname(entry)), join(stage, dirname(entry)), { recursive: true })
  writeFileSync(join(stage, record), JSON.stringify({ entry, sources: [] }))
}

/** Installs the locked runtime dependencies; node_modules links to the packages beside it. */
function installRuntime(stage: string): void {
  const manifest = JSON.parse(readFileSync(join(stage, 'package.json'), 'utf8')) as object
  // the other scripts need a checkout
  const scripts = { start: 'bin/wharf-server' }
  writeFileSync(join(stage, 'package.json'), `${JSON.stringify({ ...manifest, scripts }, null, 2)}\n`)
  const workspaces = runtimePackages.map((folder) => `--workspace=packages/${folder}`)
  const flags = ['--omit=dev', '--include=optional', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  const { npm_execpath: npm, npm_node_execpath: outerNode = process.execPath } = process.env
  const [program, ...before] = npm?.endsWith('npm-cli.js') ? [outerNode, npm] : ['npm']
  execFileSync(program, [...before, 'ci', ...flags, ...workspaces, '--include-workspace-root'], {
    cwd: stage,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  linkRuntime(stage)
}

/** Like scripts/ensure.cjs in a checkout: bin/ starts programs with this link. */
function linkRuntime(stage: string): void {
  const link = 'node_modules/.wharf/node'
  mkdirSync(dirname(join(stage, link)))
  symlinkSync(readlinkSync(join(root, link)), join(stage, link))
  execFileSync(join(stage, link), ['--version'], { stdio: 'ignore' })
}

function packagesOf(...names: string[]): string[] {
  const found = new Set(names)
  for (const name of found) {
    const manifest = JSON.parse(readFileSync(join(root, 'packages', name, 'package.json'), 'utf8')) as {
      dependencies?: Record<string, string>
    }
    for (const dependency of Object.keys(manifest.dependencies ?? {}))
      if (dependency.startsWith('@wharf/')) found.add(dependency.slice('@wharf/'.length))
  }
  return [...found]
}
