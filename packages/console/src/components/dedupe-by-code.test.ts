import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dedupeByCode, withoutPlaceholders } from './dedupe-by-code.ts'

const entry = (code: string, regex: string, message: string) => ({
  category: 'SYS',
  code,
  regex,
  message_en: message,
  message_cn: null,
  source: 'Wharf',
  method: 'regex' as const,
  distance: null,
})

test('of a code with many texts the entry of the code itself is shown', () => {
  const shown = dedupeByCode([
    entry('1000', 'disk (?P<name>\\w+) is full', 'Disk {name} is full.'),
    entry('1000', 'SYS\\.1000', 'A fault of its own.'),
    entry('1001', 'took too long', 'It took too long.'),
  ])
  assert.deepEqual(
    shown.map(({ code, message_en }) => [code, message_en]),
    [
      ['1000', 'A fault of its own.'],
      ['1001', 'It took too long.'],
    ],
  )
})

test('no placeholder is left where there is nothing to put in', () => {
  const [shown] = dedupeByCode([entry('1002', 'got (?P<given>.*)', 'Got {given}, which is {bad}.')])
  assert.equal(shown?.message_en, 'Got …, which is ….')
  assert.equal(withoutPlaceholders(entry('1003', 'on (?P<host>.*)', 'On {host}.')).message_en, 'On ….')
})

test('a code without an entry of its own is shown by one without placeholders', () => {
  const [shown] = dedupeByCode([
    entry('1004', 'on (?P<host>.*)', 'Host {host} failed.'),
    entry('1004', 'failed', 'It failed.'),
  ])
  assert.equal(shown?.message_en, 'It failed.')
})

test('codes of different categories are different', () => {
  const shown = dedupeByCode([entry('1000', 'a', 'A'), { ...entry('1000', 'b', 'B'), category: 'HOST' }])
  assert.deepEqual(
    shown.map(({ category }) => category),
    ['SYS', 'HOST'],
  )
})

test('codes keep their order', () => {
  const shown = dedupeByCode([
    entry('3', 'c', 'C'),
    entry('1', 'a', 'A'),
    entry('3', 'SYS\\.3', 'Own'),
    entry('2', 'b', 'B'),
  ])
  assert.deepEqual(
    shown.map(({ code, message_en }) => [code, message_en]),
    [
      ['3', 'Own'],
      ['1', 'A'],
      ['2', 'B'],
    ],
  )
})

test('an empty list stays empty', () => assert.deepEqual(dedupeByCode([]), []))
