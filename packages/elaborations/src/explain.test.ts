import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Elaboration } from './elaboration.ts'
import { ElaborationSet } from './elaboration-set.ts'
import { TextSearch } from './text-search.ts'

const entry = (code: string, regex: string | null, more: Partial<Elaboration> = {}): Elaboration => ({
  category: 'SYS',
  code,
  regex,
  message_cn: null,
  message_en: `explains ${code}`,
  source: 'test',
  method: regex === null ? null : 'regex',
  distance: null,
  example: null,
  ...more,
})
const similar = (code: string, regex: string, more: Partial<Elaboration> = {}) =>
  entry(code, regex, { method: 'distance', ...more })

const searchIn = (entries: Elaboration[]) => new TextSearch(new ElaborationSet(entries))

const rows: { name: string; entries: Elaboration[]; text: string; category?: string; code?: string }[] = [
  {
    name: 'the longest pattern wins',
    entries: [entry('1', 'disk'), entry('2', 'disk is full'), entry('3', 'is full')],
    text: 'the disk is full',
    code: '2',
  },
  {
    name: 'the longest pattern wins, not the longest match',
    entries: [entry('1', 'disk.*'), entry('2', '(?:disk)is?')],
    text: 'diski and a lot more',
    code: '2',
  },
  { name: 'case is ignored', entries: [entry('1', 'DISK Full')], text: 'disk fULL', code: '1' },
  {
    name: 'a point matches any character, including a line end',
    entries: [entry('1', 'begin.*end')],
    text: 'begin\n\nend',
    code: '1',
  },
  {
    name: 'of patterns of one length the first wins',
    entries: [entry('7', 'aaaa'), entry('1', 'bbbb')],
    text: 'bbbb aaaa',
    code: '7',
  },
  {
    name: 'a pattern takes precedence over a similar sentence',
    entries: [similar('1', 'the disk is full'), entry('2', 'disk')],
    text: 'the disk is full',
    code: '2',
  },
  { name: 'a similarity of 0.9 is enough', entries: [similar('1', 'abcdefghij')], text: 'abcdefghix', code: '1' },
  { name: 'a similarity below 0.9 is not enough', entries: [similar('1', 'abcdefghij')], text: 'xxxdefghij' },
  {
    name: 'the most similar sentence wins',
    entries: [similar('1', 'the disk is fulx'), similar('2', 'the disk is full')],
    text: 'the disk is full.',
    code: '2',
  },
  {
    name: 'of two equally similar sentences the first wins',
    entries: [similar('2', 'the disk is full'), similar('1', 'the disk is full')],
    text: 'the disk is full',
    code: '2',
  },
  {
    name: 'a category limits the patterns',
    entries: [entry('1', 'disk is full', { category: 'BS' }), entry('2', 'disk')],
    text: 'disk is full',
    category: 'sys',
    code: '2',
  },
  {
    name: 'a category limits the sentences',
    entries: [similar('1', 'disk is full', { category: 'BS' }), similar('2', 'disk is fulx')],
    text: 'disk is full',
    category: 'SYS',
    code: '2',
  },
  {
    name: 'a category without entries explains nothing',
    entries: [entry('1', 'disk')],
    text: 'disk',
    category: 'HOST',
  },
  { name: 'an entry without pattern explains no text', entries: [entry('1', null)], text: 'explains 1' },
  { name: 'a text shorter than any pattern', entries: [entry('1', 'abc')], text: 'a' },
  { name: 'Chinese', entries: [entry('1', '磁盘.*已满')], text: '错误：磁盘 sda 已满', code: '1' },
]
for (const { name, entries, text, category, code } of rows)
  test(name, () => {
    const found = searchIn(entries).explain(text, category)
    assert.equal(found?.code, code)
  })

test('a similar sentence has a distance, a matching pattern has none', () => {
  const set = searchIn([similar('1', 'abcdefghij'), entry('2', 'match')])
  assert.equal(set.explain('abcdefghij')?.distance, 1)
  assert.equal(set.explain('abcdefghix')?.distance?.toFixed(4), '0.9600')
  assert.equal(set.explain('a match')?.distance, null)
})

test('entries are sorted by category and then by code as a number', () => {
  const set = new ElaborationSet([entry('1000', 'aaa'), entry('99', null), entry('5', null, { category: 'BS' })])
  assert.deepEqual(
    set.all.map(({ category, code }) => `${category}.${code}`),
    ['BS.5', 'SYS.99', 'SYS.1000'],
  )
  assert.deepEqual(set.categories, [
    { category: 'BS', num: 1 },
    { category: 'SYS', num: 2 },
  ])
  assert.equal('example' in (set.all[0] ?? {}), false)
})

test('of a code, the entry about the code itself precedes those about its texts', () => {
  const set = new ElaborationSet([entry('7', 'the key of (?P<user>.+)'), entry('7', 'SYS\\.7'), entry('1', null)])
  assert.deepEqual(
    set.ofCode('SYS', '7').map(({ regex }) => regex),
    ['SYS\\.7', 'the key of (?P<user>.+)'],
  )
})

test('categories that differ in case are one category', () => {
  const lower = (code: string) => entry(code, null, { category: 'sys' })
  const set = new ElaborationSet([lower('7'), entry('1001', null), lower('1'), entry('7', null), entry('3', null)])
  const codes = ['sys.1', 'SYS.3', 'sys.7', 'SYS.7', 'SYS.1001']
  const namesOf = (list: readonly { category: string; code: string }[]) =>
    list.map((one) => `${one.category}.${one.code}`)
  assert.deepEqual(namesOf(set.all), codes)
  assert.deepEqual(namesOf(set.ofCategory('Sys')), codes)
  assert.deepEqual(set.categories, [{ category: 'SYS', num: 5 }])
})

test('a placeholder without a match, or with a long one, stays readable', () => {
  const messages = { message_en: 'host {host}, port {port}', message_cn: null }
  const set = searchIn([entry('1', 'cannot reach (?P<host>\\S+)(?: at (?P<port>\\d+))?', messages)])
  assert.equal(set.explain('cannot reach web-1 at 22')?.message_en, 'host web-1, port 22')
  assert.equal(set.explain('cannot reach web-1')?.message_en, 'host web-1, port …')
  assert.equal(set.explain(`cannot reach ${'x'.repeat(4000)}`)?.message_en?.length, 'host , port …'.length + 201)
  assert.equal(set.explain(`cannot reach ${'x'.repeat(16_000)}`)?.message_en, 'host …, port …')
})
