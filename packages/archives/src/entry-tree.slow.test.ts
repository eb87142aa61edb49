import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError } from '@wharf/platform/api-error.ts'
import fc from 'fast-check'
import { EntryTree } from './entry-tree.ts'

const split = (path: string): string[] => path.split('/')
const part = fc.constantFrom('a', 'b', 'c')
const path = fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/'))
const target = fc
  .array(fc.constantFrom('a', 'b', 'c', '..', '..', '.'), { minLength: 1, maxLength: 6 })
  .map((parts) => parts.join('/'))
const kind = fc.constantFrom('folder' as const, 'file' as const, 'link' as const, 'link' as const)
const entries = fc.array(fc.record({ path, kind, target }), { minLength: 1, maxLength: 12 })

/** The path as the kernel resolves it, with links and `..`. Undefined for a loop. */
function resolve(links: ReadonlyMap<string, string>, from: string[], path: string): string[] | 'outside' | undefined {
  const at = [...from]
  const rest = split(path)
  for (let steps = 0; rest.length > 0; steps += 1) {
    if (steps > 2000) return undefined
    const next = rest.shift() as string
    if (next === '' || next === '.') continue
    if (next === '..') {
      if (at.pop() === undefined) return 'outside'
      continue
    }
    at.push(next)
    const link = links.get(at.join('/'))
    if (link === undefined) continue
    at.pop()
    rest.unshift(...split(link))
  }
  return at
}

test('no path of an accepted archive leads outside, in any order of entries', () => {
  fc.assert(
    fc.property(entries, (all) => {
      const tree = new EntryTree()
      const links = new Map<string, string>()
      const accepted: string[] = []
      for (const { path, kind, target } of all) {
        try {
          if (kind === 'folder') tree.folder(path, split(path))
          if (kind === 'file') tree.file(path, split(path))
          if (kind === 'link') tree.symbolicLink(path, split(path), target)
        } catch (error) {
          assert.ok(error instanceof ApiError, String(error))
          continue
        }
        if (kind === 'link') links.set(path, target)
        accepted.push(path)
      }
      for (const path of accepted) {
        const parents = split(path).slice(0, -1)
        assert.deepEqual(resolve(links, [], parents.join('/')), parents, `${path} resolves to another path`)
        assert.notEqual(resolve(links, [], path), 'outside', path)
      }
    }),
    { numRuns: process.env.TEST_LONG ? 5000 : 1500 },
  )
})

test('most links that stay inside are accepted', () => {
  const tree = new EntryTree()
  for (const [path, target] of [
    ['a/l', '../b'],
    ['m', 'a/l'],
    ['a/n', '.'],
    ['o', 'a/../b'],
    ['p', './x/./y'],
  ] as const) {
    assert.doesNotThrow(() => tree.symbolicLink(path, split(path), target), path)
  }
})

test('limits the memory for names', () => {
  const tree = new EntryTree()
  const fill = () => {
    for (let index = 0; index < 1_000_000; index += 1) tree.file('f', [String(index).padStart(200, 'x')])
  }
  assert.throws(fill, { code: 'SoftwarePackage.1132', message: /names take more/ })
})
