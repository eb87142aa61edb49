import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type FindEntry, type FindKind, groupEntries, matches } from './find-entry.ts'

const entry = (kind: FindKind, label: string, more: Partial<FindEntry> = {}): FindEntry => ({
  id: `${kind} ${label}`,
  kind,
  label,
  target: '#/',
  ...more,
})

const shown = (entries: readonly FindEntry[], text: string, recent: readonly FindEntry[] = []) =>
  groupEntries(entries, { text, recent }).map(({ name, entries: found }) => [name, found.map(({ label }) => label)])

test('every typed word must occur, in any order and case', () => {
  const host = entry('host', 'web-1', { detail: '10.0.0.7', words: '主机' })
  for (const text of ['', 'web', 'WEB', '10.0 web', '主机']) assert.ok(matches(host, text), text)
  for (const text of ['web-2', 'web storage']) assert.ok(!matches(host, text), text)
})

test('groups have a fixed order, and empty ones are omitted', () => {
  const entries = [entry('host', 'packs'), entry('page', 'Packages'), entry('action', 'Upload a package')]
  assert.deepEqual(shown(entries, 'pack'), [
    ['action', ['Upload a package']],
    ['page', ['Packages']],
    ['host', ['packs']],
  ])
  assert.deepEqual(shown(entries, 'nothing'), [])
})

test('a name that begins with the text is first, then one with a word that does', () => {
  const hosts = ['my-web', 'xweb', 'web-2'].map((name) => entry('host', name))
  assert.deepEqual(shown(hosts, 'web'), [['host', ['web-2', 'my-web', 'xweb']]])
})

test('recently used entries are first, once, and filtered like the others', () => {
  const entries = [entry('page', 'Hosts'), entry('page', 'Jobs')]
  const recent = [entry('host', 'web-1'), entry('page', 'Jobs')]
  assert.deepEqual(shown(entries, '', recent), [
    ['recent', ['web-1', 'Jobs']],
    ['page', ['Hosts']],
  ])
  assert.deepEqual(shown(entries, 'jo', recent), [['recent', ['Jobs']]])
})

test('a recently used entry has its current name and target', () => {
  const renamed = entry('host', 'new name', { id: 'host 1', target: '#/hosts/1' })
  const stored = entry('host', 'old name', { id: 'host 1', target: '' })
  const [group] = groupEntries([renamed], { text: '', recent: [stored] })
  assert.deepEqual(group?.entries, [renamed])
})
