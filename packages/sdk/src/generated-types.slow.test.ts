import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type * as contract from '@wharf/contract'
import type { AnswerOf, Operation } from '@wharf/contract'
import ts from 'typescript'
import type { FieldsAndTags } from './call-types.ts'
import type { Groups } from './generated-types.ts'

/** What the contract infers must be what is generated: a difference in a method is an error of the compiler here. */
type Exports = typeof contract
type OperationsByName = {
  [K in keyof Exports as Exports[K] extends { client: infer C extends string }
    ? C
    : never]: Exports[K] extends Operation ? Exports[K] : never
}
type GeneratedMethod<Name> = Name extends `${infer G extends keyof Groups}.${infer M}`
  ? M extends keyof Groups[G]
    ? Groups[G][M]
    : never
  : never
/** The fields follow the uuids of the path. */
type FieldsIn<P extends readonly unknown[]> = P extends [string, ...infer Rest] ? FieldsIn<Rest> : NonNullable<P[0]>
type ReadOnly<T> = unknown extends T
  ? T
  : T extends string | number | boolean | null | undefined
    ? T
    : T extends readonly (infer U)[]
      ? readonly ReadOnly<U>[]
      : { [K in keyof T]: ReadOnly<T[K]> }
type Same<A, B> = [A, B] extends [B, A] ? true : false
type Differences = {
  [Name in keyof OperationsByName]: GeneratedMethod<Name> extends (...parameters: infer P) => Promise<infer A>
    ? [
        Same<FieldsIn<P>, ReadOnly<FieldsAndTags<OperationsByName[Name]>>>,
        Same<A, AnswerOf<OperationsByName[Name]>>,
      ] extends [true, true]
      ? never
      : Name
    : Name
}[keyof OperationsByName]
const differences: [Differences] extends [never] ? 'none' : Differences = 'none'

const example = `
import { Wharf } from './index.ts'
const wharf = new Wharf({ url: 'http://127.0.0.1:8080' })
const { inventory } = await wharf.hosts.add({ name: 'web-1', driver: 'ssh', address: '10.0.0.7', username: 'root' })
for await (const found of wharf.hosts.all()) console.log(found.sshPort, inventory.architecture)
`

test('an editor shows the summary of a method and the description of a field', () => {
  assert.equal(differences, 'none')
  const file = fileURLToPath(new URL('hover-example.ts', import.meta.url))
  const options: ts.CompilerOptions = {
    target: ts.ScriptTarget.ESNext,
    module: ts.ModuleKind.NodeNext,
    allowImportingTsExtensions: true,
    noEmit: true,
    strict: true,
    types: [],
    lib: ['lib.esnext.d.ts'],
  }
  const service = ts.createLanguageService({
    getCompilationSettings: () => options,
    getScriptFileNames: () => [file],
    getScriptVersion: () => '1',
    getScriptSnapshot(name) {
      const text = name === file ? example : ts.sys.readFile(name)
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text)
    },
    getCurrentDirectory: () => import.meta.dirname,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    fileExists: (name) => name === file || ts.sys.fileExists(name),
    readFile: ts.sys.readFile,
  })
  const hover = (code: string): string => {
    const info = service.getQuickInfoAtPosition(file, example.indexOf(code) + code.length - 1)
    return [info?.displayParts, info?.documentation].map(ts.displayPartsToString).join('\n')
  }
  assert.match(hover('hosts.add'), /add\(fields: AddHostFields.*\nAdd a host: connect to it/s)
  assert.match(hover('{ name'), /name: string\n./)
  assert.match(hover('found.sshPort'), /sshPort: number \| null\n./)
  assert.match(hover('inventory.architecture'), /architecture: .*\nThe processor architecture of the host/)
  service.dispose()
})
