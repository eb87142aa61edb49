import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { errorCatalogue } from '@wharf/contract'
import { checkEntries } from './check-entries.ts'
import { ElaborationSet } from './elaboration-set.ts'
import { hasGrams } from './grams.ts'
import { readOwnCatalogue } from './own-catalogue.ts'
import { readEntries } from './read-entries.ts'

const folder = new URL('catalogue/', import.meta.url)
const own = readOwnCatalogue()
const set = new ElaborationSet(own)
const codeOf = ({ category, code }: { category: string; code: string }) => `${category}.${code}`
/** What explains a code as a whole is found by the code itself: `SYS\.1007`. */
const isOfCode = (regex: string | null) => /^\w+\\\.\d{4}$/.test(regex ?? '')

test('every file and every entry of the catalogue is well formed', async () => {
  const files = readdirSync(folder).map((name) => readEntries(readFileSync(new URL(name, folder), 'utf8'), name))
  assert.deepEqual(await checkEntries(files), [])
  assert.ok(own.length >= 150, `${own.length} entries`)
})

test('every code has an elaboration in Chinese and in English, and no other code has one', () => {
  const whole = own.filter(({ regex }) => isOfCode(regex)).map(codeOf)
  assert.deepEqual(whole.toSorted(), Object.keys(errorCatalogue).toSorted())
  for (const code of own.map(codeOf)) assert.ok(code in errorCatalogue, code)
})

test('every message is written in its language and tells more than the code', () => {
  for (const entry of own) {
    const { message_cn: chinese, message_en: english } = entry
    assert.match(chinese ?? '', /\p{Script=Han}{3}/u, codeOf(entry))
    assert.match(chinese ?? '', /。$/, chinese ?? '')
    assert.match(english ?? '', /^[^\p{Script=Han}]{30,}\.$/u, english ?? '')
  }
})

test('no two entries fight for a text: each wins its own example', () => {
  for (const { regex, example } of own) {
    assert.ok(example !== null, `${regex} has no example`)
    assert.equal(set.explain(example)?.regex, regex, example)
  }
})

test('whoever pastes a failure whole finds its cause, and only then what its code means', () => {
  const longest = Math.max(...own.filter(({ regex }) => isOfCode(regex)).map(({ regex }) => regex?.length ?? 0))
  for (const { regex } of own) if (!isOfCode(regex)) assert.ok((regex?.length ?? 0) > longest, `${regex} is too short`)
  const pasted = '{"code":"SoftwarePackage.1132","details":"wharf.json is refused: name is required"}'
  assert.match(set.explain(pasted)?.regex ?? '', /wharf\\\.json is refused/)
  assert.equal(set.explain('what is JOB.1001?')?.code, '1001')
})

test('no pattern has to be tried on every text', () => {
  for (const { regex } of own) assert.ok(hasGrams(regex ?? ''), regex ?? '')
})

test('a message names what the text named', () => {
  const found = set.explain('no connection to host a: ssh: connect to host 10.0.0.9 port 2222: Connection refused')
  assert.match(found?.message_en ?? '', /^10\.0\.0\.9 is up, but nothing listens on port 2222\./)
  for (const { example } of own) {
    const { message_en = '', message_cn = '' } = set.explain(example ?? '') ?? {}
    assert.doesNotMatch(`${message_en}${message_cn}`, /\{\w+\}/, example ?? '')
  }
})
