import { createHash } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { isBuiltin } from 'node:module'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Plugin, rolldown } from 'rolldown'

const codeCache = fileURLToPath(new URL('../packages/platform/src/code-cache.cjs', import.meta.url))

const dayMs = 24 * 3_600_000
/** A process loads some of its files on demand, so its bundle stays when a newer one is written. */
const maxAgeMs = 30 * dayMs

/** Of programs that Node would otherwise load from more than a thousand modules, each with its types stripped. */
interface Bundle {
  /** By the name of the output file. */
  readonly input: Readonly<Record<string, string>>
  /** Of all bundles; each has a folder of its own in it. */
  readonly folder: string
  readonly plugins?: readonly Plugin[]
  /** Adds files to the folder before it gets its name. */
  readonly complete?: (folder: string) => Promise<void>
}

interface StoredBundle {
  /** Named by its content: other sources have another bundle, and the same keep the compiled code. */
  readonly folder: string
  /** The sources in it, without dependencies. */
  readonly modules: readonly string[]
}

/** Modules still find the files beside their sources, by a path that stays valid when all of Wharf is moved. */
export async function writeBundle({ input, folder, plugins = [], complete }: Bundle): Promise<StoredBundle> {
  const bundle = await rolldown({
    input: { ...input },
    platform: 'node',
    // loaded on demand
    external: [/^@aws-sdk\//, 'pg-native'],
    plugins: [besideSources(join(folder, 'bundle')), builtinNames, ...plugins],
    logLevel: 'silent',
  })
  const { output } = await bundle.generate({
    format: 'cjs',
    strict: true,
    // an import in code from the cache would print a warning of Node
    dynamicImportInCjs: false,
    entryFileNames: '[name].cjs',
    chunkFileNames: '[name]-[hash].cjs',
    // a start reads every byte
    comments: { legal: true, annotation: false, jsdoc: false },
  })
  await bundle.close()
  const modules = output.flatMap((one) => (one.type === 'chunk' ? one.moduleIds : []))
  const starts = Object.keys(input).map((name) => [`${name}.js`, startOf(name, folder)] as const)
  const files = [
    ...starts,
    ...output.map((one) => [one.fileName, one.type === 'chunk' ? escapedText(one.code) : one.source] as const),
  ]
  return {
    folder: await store(files, folder, complete),
    modules: modules.filter((id) => id.startsWith('/') && !id.includes('/node_modules/')),
  }
}

/** V8 reads ASCII faster, and keeps it in half the memory. An escape means the same in texts, patterns and all templates but `String.raw`. */
const escapedText = (code: string): string =>
  code.replace(/\\[\x00-\x7f]|\\?([^\x00-\x7f])/g, (text, unit?: string) =>
    unit === undefined ? text : `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

const startOf = (name: string, folder: string): string =>
  `require(${JSON.stringify(relative(join(folder, 'bundle'), codeCache))}).useCodeCache()\nrequire('./${name}.cjs')\n`

async function store(
  chunks: readonly (readonly [name: string, content: string | Uint8Array])[],
  folder: string,
  complete: Bundle['complete'],
): Promise<string> {
  // otherwise Node parses every file to find out what kind of module it is
  const files = [['package.json', '{"type":"commonjs"}'] as const, ...chunks]
  // compiled code is for one Node
  const hash = createHash('sha256').update(`${process.version} ${process.arch}`)
  for (const [name, content] of files) hash.update(name).update(content)
  const place = join(folder, hash.digest('hex').slice(0, 16))
  if (existsSync(place)) return place
  mkdirSync(folder, { recursive: true })
  removeOld(folder)
  // another name than that of a build that was killed, and readable as the folder of others is
  const unfinished = mkdtempSync(`${place}.`)
  chmodSync(unfinished, statSync(folder).mode)
  for (const [name, content] of files) writeFileSync(join(unfinished, name), content)
  await complete?.(unfinished)
  try {
    renameSync(unfinished, place)
  } catch (error) {
    rmSync(unfinished, { recursive: true })
    if (!existsSync(place)) throw error
  }
  return place
}

function removeOld(folder: string): void {
  // one that is missing was renamed meanwhile
  for (const name of readdirSync(folder))
    if (Date.now() - (statSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs ?? Date.now()) > maxAgeMs)
      rmSync(join(folder, name), { recursive: true, force: true })
}

/** With text that is not ASCII, which would be escaped. */
const rawText = /String\.raw`[^`]*[^\x00-\x7f]/

const otherPlaces = /\bimport\.meta\.(dirname|filename|resolve)\b/

const besideSources = (from: string): Plugin => ({
  name: 'beside-sources',
  transform: (code, id) => {
    if (otherPlaces.test(code) && !id.includes('node_modules'))
      throw new Error(`${id}: only import.meta.url is replaced`)
    if (rawText.test(code)) throw new Error(`${id}: String.raw may contain ASCII only`)
    if (!code.includes('import.meta.url')) return null
    return code.replaceAll('import.meta.url', `new URL(${JSON.stringify(relative(from, id))}, import.meta.url).href`)
  },
})

const builtinId = '\0builtin:'

/**
 * An import of a module of Node evaluates all that it exports: `node:http` would load fetch, and `node:fs` its streams. In the
 * bundle only the names that are used are read.
 */
const builtinNames: Plugin = {
  name: 'builtin-names',
  resolveId: (name, _importer, { kind }) =>
    kind === 'import-statement' && isBuiltin(name) ? { id: `${builtinId}${name}`, moduleSideEffects: false } : null,
  load: async (id) => {
    if (!id.startsWith(builtinId)) return null
    const name = id.slice(builtinId.length)
    const exported = Object.keys(await import(name)).filter((key) => key !== 'default' && key !== 'module.exports')
    return [
      `const builtin = process.getBuiltinModule(${JSON.stringify(name)})`,
      'const readBuiltin = (name) => builtin[name]',
      'export default builtin',
      ...exported.map((key) => `export const ${key} = /* @__PURE__ */ readBuiltin(${JSON.stringify(key)})`),
    ].join('\n')
  },
}
