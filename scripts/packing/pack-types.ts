import { execFileSync } from 'node:child_process'
import { cpSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Writes the declarations of these sources and of the types that they use to `types`. */
export function declareTypes(sources: readonly string[], staging: string): void {
  const types = join(staging, 'types')
  const config = join(staging, 'tsconfig.json')
  // listed explicitly: files that are resolved through node_modules get no declarations
  const contract = globSync(join(root, 'packages/contract/src/*.ts')).filter((file) => !file.endsWith('.test.ts'))
  const files = [...sources, ...contract]
  const compilerOptions = {
    noEmit: false,
    declaration: true,
    emitDeclarationOnly: true,
    // `npm run check` checks the sources
    noCheck: true,
    rootDir: join(root, 'packages'),
    outDir: types,
    typeRoots: [join(root, 'node_modules', '@types')],
  }
  writeFileSync(config, JSON.stringify({ extends: join(root, 'tsconfig.json'), files, include: [], compilerOptions }))
  execFileSync(process.execPath, [join(root, 'node_modules/@typescript/native/bin/tsc'), '-p', config], {
    stdio: 'inherit',
  })
  rmSync(config)
  const typebox = join(root, 'node_modules', 'typebox')
  for (const file of globSync('build/**/*.d.mts', { cwd: typebox }))
    cpSync(join(typebox, file), join(types, 'typebox', relative('build', file)))
  for (const file of globSync('{L,l}{ICENSE,icense}*', { cwd: typebox }))
    cpSync(join(typebox, file), join(types, 'typebox', file))
  for (const file of globSync('**/*.d.ts', { cwd: types })) rewriteImports(join(types, file), types)
}

/** Imports of packages become imports of the packed files, and `.ts` becomes `.js`. */
function rewriteImports(file: string, types: string): void {
  const to = (target: string): string => {
    const path = relative(dirname(file), join(types, target))
    return path.startsWith('.') ? path : `./${path}`
  }
  const text = readFileSync(file, 'utf8')
    .replaceAll(/(['"])@wharf\/contract\1/g, `'${to('contract/src/index.js')}'`)
    .replaceAll(/(['"])typebox\1/g, `'${to('typebox/index.mjs')}'`)
    .replaceAll(/(['"])(\.{1,2}\/[^'"]+)\.ts\1/g, "'$2.js'")
  writeFileSync(file, text)
}
