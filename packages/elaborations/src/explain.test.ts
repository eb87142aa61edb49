import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Elaboration } from './elaboration.ts'
import { ElaborationSet } from './elaboration-set.ts'

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
const alike = (code: string, regex: string, more: Partial<Elaboration> = {}) =>
  entry(code, regex, { method: 'distance', ...more })

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
  { name: 'case does not count', entries: [entry('1', 'DISK Full')], text: 'disk fULL', code: '1' },
  {
    name: 'a point is any character, a line end too',
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
    name: 'a pattern goes before a likeness',
    entries: [alike('1', 'the disk is full'), entry('2', 'disk')],
    text: 'the disk is full',
    code: '2',
  },
  { name: 'a likeness of 0.9 is enough', entries: [alike('1', 'abcdefghij')], text: 'abcdefghix', code: '1' },
  { name: 'less is not', entries: [alike('1', 'abcdefghij')], text: 'xxxdefghij' },
  {
    name: 'the likest wins',
    entries: [alike('1', 'the disk is fulx'), alike('2', 'the disk is full')],
    text: 'the disk is full.',
    code: '2',
  },
  {
    name: 'of two alike the first wins',
    entries: [alike('2', 'the disk is full'), alike('1', 'the disk is full')],
    text: 'the disk is full',
    code: '2',
  },
  {
    name: 'a category narrows patterns',
    entries: [entry('1', 'disk is full', { category: 'BS' }), entry('2', 'disk')],
    text: 'disk is full',
    category: 'sys',
    code: '2',
  },
  {
    name: 'a category narrows sentences',
    entries: [alike('1', 'disk is full', { category: 'BS' }), alike('2', 'disk is fulx')],
    text: 'disk is full',
    category: 'SYS',
    code: '2',
  },
  {
    name: 'a category that nothing is in leaves nothing',
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
    const found = new ElaborationSet(entries).explain(text, category)
    assert.equal(found?.code, code)
  })

test('a likeness is told, a match has none', () => {
  const set = new ElaborationSet([alike('1', 'abcdefghij'), entry('2', 'match')])
  assert.equal(set.explain('abcdefghij')?.distance, 1)
  assert.equal(set.explain('abcdefghix')?.distance?.toFixed(4), '0.9600')
  assert.equal(set.explain('a match')?.distance, null)
  assert.ok(set.all.every(({ distance }) => distance === null))
})

test('codes are in the order of their numbers, after their categories', () => {
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

test('a category is one, however it is written', () => {
  const lower = (code: string) => entry(code, null, { category: 'sys' })
  const set = new ElaborationSet([lower('7'), entry('1001', null), lower('1'), entry('7', null), entry('3', null)])
  const codes = ['sys.1', 'SYS.3', 'sys.7', 'SYS.7', 'SYS.1001']
  const shown = (list: readonly { category: string; code: string }[]) =>
    list.map((one) => `${one.category}.${one.code}`)
  assert.deepEqual(shown(set.all), codes)
  assert.deepEqual(shown(set.ofCategory('Sys')), codes)
  assert.deepEqual(set.categories, [{ category: 'SYS', num: 5 }])
})

test('a placeholder that found nothing, or a lot, stays readable', () => {
  const messages = { message_en: 'host {host}, port {port}', message_cn: null }
  const set = new ElaborationSet([entry('1', 'cannot reach (?P<host>\\S+)(?: at (?P<port>\\d+))?', messages)])
  assert.equal(set.explain('cannot reach web-1 at 22')?.message_en, 'host web-1, port 22')
  assert.equal(set.explain('cannot reach web-1')?.message_en, 'host web-1, port …')
  assert.equal(set.explain(`cannot reach ${'x'.repeat(4000)}`)?.message_en?.length, 'host , port …'.length + 201)
  assert.equal(set.explain(`cannot reach ${'x'.repeat(16_000)}`)?.message_en, 'host …, port …')
})
