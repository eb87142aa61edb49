import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { errorCatalogue } from '@wharf/contract'
import { readBuiltInCatalogue } from './built-in-catalogue.ts'
import { checkEntries } from './check-entries.ts'
import { ElaborationSet } from './elaboration-set.ts'
import { hasTrigram } from './pattern-index.ts'
import { readEntries } from './read-entries.ts'
import { TextSearch } from './text-search.ts'

const folder = new URL('catalogue/', import.meta.url)
const own = readBuiltInCatalogue()
const search = new TextSearch(new ElaborationSet(own))
const explained = own.map((entry) => ({ ...entry, found: search.explain(entry.example ?? '') }))
const codeOf = ({ category, code }: { category: string; code: string }) => `${category}.${code}`
/** The entry that explains a whole code is found by the code itself: `SYS\.1007`. */
const isOfCode = (regex: string | null) => /^\w+\\\.\d{4}$/.test(regex ?? '')

test('every file and every entry of the catalogue is well formed', async () => {
  const files = readdirSync(folder).map((name) => readEntries(readFileSync(new URL(name, folder), 'utf8'), name))
  assert.deepEqual(await checkEntries(files), [])
  assert.ok(own.length >= 1000, `${own.length} entries`)
})

test('every code of the error catalogue has an elaboration in Chinese and in English', () => {
  const whole = own.filter(({ regex }) => isOfCode(regex)).map(codeOf)
  assert.deepEqual(whole.toSorted(), Object.keys(errorCatalogue).toSorted())
  const ours = new Set(Object.keys(errorCatalogue).map((code) => code.split('.')[0]))
  for (const entry of own) if (ours.has(entry.category)) assert.ok(codeOf(entry) in errorCatalogue, codeOf(entry))
})

test('a code of another program has one explanation, under whichever of its patterns', () => {
  const ours = new Set(Object.keys(errorCatalogue))
  for (const [code, entries] of Map.groupBy(own, codeOf))
    if (!ours.has(code)) assert.equal(new Set(entries.map(({ message_en }) => message_en)).size, 1, code)
})

test('every message is written in its language and contains more than the code', () => {
  for (const entry of own) {
    const { message_cn: chinese, message_en: english } = entry
    assert.match(chinese ?? '', /\p{Script=Han}{3}/u, codeOf(entry))
    assert.match(chinese ?? '', /。$/, chinese ?? '')
    assert.match(english ?? '', /^[^\p{Script=Han}]{30,}\.$/u, english ?? '')
  }
})

test('each entry explains its own example before any other entry', () => {
  for (const { regex, example, found } of explained) {
    assert.ok(example !== null, `${regex} has no example`)
    assert.equal(found?.regex, regex, example)
  }
})

test('a pasted failure is explained by its cause before its code', () => {
  const longest = Math.max(...own.filter(({ regex }) => isOfCode(regex)).map(({ regex }) => regex?.length ?? 0))
  for (const { regex } of own) if (!isOfCode(regex)) assert.ok((regex?.length ?? 0) > longest, `${regex} is too short`)
  const pasted = '{"code":"SoftwarePackage.1132","details":"wharf.json is refused: name is required"}'
  assert.match(search.explain(pasted)?.regex ?? '', /wharf\\\.json is refused/)
  assert.equal(search.explain('what is JOB.1001?')?.code, '1001')
})

test('every pattern requires three plain characters, so that none is tried on every text', () => {
  for (const { regex, method } of own) assert.ok(method === 'distance' || hasTrigram(regex ?? ''), regex ?? '')
})

test('a message contains the names that the text contains', () => {
  const found = search.explain('no connection to host a: ssh: connect to host 10.0.0.9 port 2222: Connection refused')
  assert.match(found?.message_en ?? '', /^10\.0\.0\.9 is up, but nothing listens on port 2222\./)
  for (const { example, found } of explained) {
    const { message_en = '', message_cn = '' } = found ?? {}
    assert.doesNotMatch(`${message_en}${message_cn}`, /\{\w+\}/, example ?? '')
  }
})
