import { strict as assert } from 'node:assert'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { bannedIn, findBannedWords } from './vocabulary.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

const names: readonly (readonly [name: string, banned: string | undefined])[] = [
  ['tellOfCalls', 'tell'],
  ['lookMs', 'look'],
  ['told-value', 'told'],
  ['WayBack', 'way'],
  ['PackageStarting', 'Starting'],
  ['ask_for_token', 'ask'],
  ['lookup', undefined],
  ['gatewayVm', undefined],
  ['standardError', undefined],
  ['taskQueue', undefined],
]
for (const [name, banned] of names)
  test(`${name} ${banned === undefined ? 'is allowed' : `contains ${banned}`}`, () => {
    assert.equal(bannedIn(name), banned)
  })

test('names and texts use the words of docs/glossary.md', () => {
  const list = findBannedWords(root).map(({ file, line, kind, excerpt }) => `${file}:${line} ${kind}: ${excerpt}`)
  assert.deepEqual(list, [])
})

test('the glossary is short enough to be read, and in alphabetical order', () => {
  const terms = [...readFileSync(`${root}/docs/glossary.md`, 'utf8').matchAll(/^\| \*\*(.+?)\*\* \|/gm)].map(
    ([, term]) => term,
  )
  assert.ok(terms.length > 20 && terms.length <= 40, `${terms.length} terms`)
  assert.deepEqual(terms, terms.toSorted())
})
