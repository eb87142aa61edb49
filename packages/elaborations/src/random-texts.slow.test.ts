import assert from 'node:assert/strict'
import { test } from 'node:test'
import { naiveLookup } from '@wharf/testkit'
import { ElaborationSet } from './elaboration-set.ts'
import { readEntries } from './read-entries.ts'
import { TextSearch } from './text-search.ts'

const words =
  'disk host port key file node storage network refused full missing denied timeout broken cannot open write read connect certificate expired 磁盘 主机 连接 拒绝'.split(
    ' ',
  )
let seed = 7
const random = (below: number): number => {
  seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0
  return Math.floor((seed / 2 ** 32) * below)
}
const pick = <T>(from: readonly T[]): T => from[random(from.length)] as T
const phrase = (count: number): string => Array.from({ length: count }, () => pick(words)).join(' ')

const joints = [' ', ' ', '.*', ' (\\S+) ', '[^:]+: ', ' \\w+ ', ' ?']
const patternOf = (): string => {
  const parts = Array.from({ length: 2 + random(3) }, () => phrase(1 + random(2)))
  const joined = parts.reduce((before, part) => before + pick(joints) + part)
  return random(20) === 0 ? `${joined}|${phrase(2)}` : joined
}

interface Entry {
  category: string
  code: string
  regex: string
  method: 'regex' | 'distance'
  message_en: string
}

const entries: Entry[] = Array.from({ length: 10_000 }, (_, index) => {
  const method = index % 20 === 0 ? 'distance' : 'regex'
  const regex = method === 'regex' ? patternOf() : phrase(3 + random(4))
  return { category: pick(['SYS', 'HOST', 'BS']), code: String(index), regex, method, message_en: 'x' }
})

/** Half of the texts derive from a pattern or a sentence, some with one character changed. */
function textOf(): string {
  if (random(2) === 0) return phrase(2 + random(6))
  const { regex } = pick(entries)
  const text = regex.replaceAll(/\.\*|\(\\S\+\)|\[\^:\]\+|\\w\+|\?/g, () => pick(words)).split('|')[0] ?? ''
  const at = random(text.length)
  return random(3) === 0 ? text.slice(0, at) + pick(['x', '', 'DISK', '\n']) + text.slice(at + 1) : text
}

/** The naive search takes 2 ms per text. */
const texts = process.env.TEST_LONG ? 10_000 : 100

test(`${texts} random texts find the same of 10,000 entries as a naive search`, (t) => {
  const search = new TextSearch(new ElaborationSet(readEntries(JSON.stringify(entries), 'random.json').entries))
  const compiled = new Map(entries.map((entry) => [entry, new RegExp(entry.regex, 'is')]))
  const ordered = [
    ...entries.filter(({ method }) => method === 'regex').toSorted((a, b) => b.regex.length - a.regex.length),
    ...entries.filter(({ method }) => method === 'distance'),
  ]
  const found = { regex: 0, distance: 0, nothing: 0 }
  for (let round = 0; round < texts; round++) {
    const text = textOf()
    const category = random(4) === 0 ? pick(['SYS', 'HOST', 'BS']) : undefined
    const expected = naiveLookup(ordered, (entry) => compiled.get(entry)?.test(text) ?? false, text, category)
    const actual = search.explain(text, category)
    assert.equal(actual?.code, expected?.code, `${JSON.stringify(text)} ${category} ${expected?.regex}`)
    found[expected?.method ?? 'nothing']++
  }
  t.diagnostic(JSON.stringify(found))
  assert.ok(Math.min(...Object.values(found)) > texts / 100, JSON.stringify(found))
})
