// `npm run pack [-- FOLDER [sdk|cli]]`: the SDK and the CLI as npm packages without dependencies. They are compiled,
// because Node strips no types below node_modules.
import { execFileSync } from 'node:child_process'
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { rolldown } from 'rolldown'
import { declareTypes } from './packing/pack-types.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

/** The content of a package; its name, version and description are in its package.json. */
interface Recipe {
  /** By the name of the output file. */
  readonly inputs: Readonly<Record<string, string>>
  readonly platform: 'node' | 'neutral'
  /** The first line of an executable. */
  readonly firstLine?: string
  readonly withTypes: boolean
  readonly manifest: object
}

const recipes: Readonly<Record<string, Recipe>> = {
  sdk: {
    inputs: {
      index: 'src/index.ts',
      contract: 'src/contract.ts',
      'file-source': 'src/upload/file-source.ts',
      'no-file-source': 'src/upload/no-file-source.ts',
      'node-request': 'src/http/node-request.ts',
      'fetch-request': 'src/http/fetch-request.ts',
    },
    platform: 'neutral',
    withTypes: true,
    manifest: {
      exports: {
        '.': { types: './types/sdk/src/index.d.ts', default: './index.js' },
        './contract': { types: './types/sdk/src/contract.d.ts', default: './contract.js' },
      },
      // chosen by the resolver of the user's platform
      imports: {
        '#file-source': { node: './file-source.js', default: './no-file-source.js' },
        '#send-request': { node: './node-request.js', default: './fetch-request.js' },
      },
      sideEffects: false,
    },
  },
  cli: {
    inputs: { main: 'src/main.ts' },
    platform: 'node',
    firstLine: '#!/usr/bin/env node',
    withTypes: false,
    manifest: { bin: { wharf: 'main.js' } },
  },
}

const { positionals } = parseArgs({ allowPositionals: true })
const [folder = join(root, 'dist'), ...wanted] = positionals
const target = resolve(folder)
mkdirSync(target, { recursive: true })
for (const [name, recipe] of Object.entries(recipes))
  if (wanted.length === 0 || wanted.includes(name)) await pack(name, recipe)

async function pack(name: string, recipe: Recipe): Promise<void> {
  const home = join(root, 'packages', name)
  const staging = mkdtempSync(join(tmpdir(), `wharf-pack-${name}-`))
  const sources = Object.entries(recipe.inputs).map(([file, source]) => [file, join(home, source)] as const)
  try {
    await bundle(recipe, Object.fromEntries(sources), staging)
    if (recipe.withTypes)
      declareTypes(
        sources.map(([, source]) => source),
        staging,
      )
    describe(recipe, home, staging)
    const packed = execFileSync('npm', ['pack', '--silent', '--pack-destination', target], { cwd: staging })
    console.log(join(target, packed.toString().trim()))
  } finally {
    rmSync(staging, { recursive: true })
  }
}

/** The package.json of the SDK selects what depends on the platform; the CLI is for Node only. */
async function bundle({ platform, firstLine }: Recipe, input: Record<string, string>, dir: string): Promise<void> {
  const external = platform === 'node' ? [/^node:/] : [/^#/, /^node:/]
  const bundled = await rolldown({ input, platform, external, cwd: root, transform: { target: 'node20.3' } })
  await bundled.write({
    dir,
    format: 'esm',
    chunkFileNames: 'parts/[name]-[hash].js',
    ...(firstLine === undefined ? {} : { banner: ({ isEntry }) => (isEntry ? firstLine : '') }),
  })
  await bundled.close()
}

function describe({ manifest }: Recipe, home: string, staging: string): void {
  const { name, version, description, license, type } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8'))
  const described = { name, version, description, license, type, engines: { node: '>=20.3' }, ...manifest }
  writeFileSync(join(staging, 'package.json'), `${JSON.stringify(described, null, 2)}\n`)
  for (const file of globSync('README.md', { cwd: home })) cpSync(join(home, file), join(staging, file))
  cpSync(join(root, 'LICENSE'), join(staging, 'LICENSE'))
}
