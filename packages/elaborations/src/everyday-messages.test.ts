import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readBuiltInCatalogue } from './built-in-catalogue.ts'
import { ElaborationSet } from './elaboration-set.ts'
import everyday from './fixtures/everyday-messages.json' with { type: 'json' }
import others from './fixtures/other-messages.json' with { type: 'json' }
import { TextSearch } from './text-search.ts'

const search = new TextSearch(new ElaborationSet(readBuiltInCatalogue()))
const codeOf = (text: string): string | undefined => {
  const found = search.explain(text)
  return found && `${found.category}.${found.code}`
}

test('nine in ten messages of everyday programs are explained, by the right entry', (t) => {
  assert.ok(new Set(everyday.map(({ text }) => text)).size >= 300)
  const wrong = everyday
    .map(({ text, code }) => ({ text, code, found: codeOf(text) }))
    .filter(({ code, found }) => found !== code)
  t.diagnostic(`${everyday.length - wrong.length} of ${everyday.length}`)
  const listed = wrong.map(({ text, code, found }) => `${code} but ${found}: ${text}`).join('\n')
  assert.ok(wrong.length <= everyday.length / 10, listed)
  // a wrong explanation misleads more than none
  assert.deepEqual(
    wrong.filter(({ found }) => found !== undefined),
    [],
  )
})

test('a message that is not an error, or of an unknown program, is not explained', () => {
  assert.ok(new Set(others).size >= 300)
  assert.deepEqual(
    others.flatMap((text) => codeOf(text) ?? []),
    [],
  )
})
