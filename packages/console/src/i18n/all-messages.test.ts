import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { test } from 'node:test'
import type { Translated } from './messages.ts'

const source = new URL('../', import.meta.url)

/** Every text of an object of messages by its key; functions are called with their placeholders. */
function textsIn(messages: object, prefix = ''): [key: string, text: string][] {
  return Object.entries(messages).flatMap(([key, value]): [string, string][] => {
    const name = `${prefix}${key}`
    if (typeof value === 'string') return [[name, value]]
    if (typeof value === 'function') {
      const message = value as (...values: string[]) => string
      return [[name, message(...Array.from({ length: message.length }, (_, index) => `<${index}>`))]]
    }
    return textsIn(value as object, `${name}.`)
  })
}

const files = await Promise.all(
  globSync(['*/messages.ts', '*/**/messages.ts'], { cwd: source })
    .filter((name) => name !== 'i18n/messages.ts')
    .map(async (name) => {
      const { messages } = (await import(new URL(name, source).href)) as { messages: Translated<object> }
      return { name, en: textsIn(messages.en), zh: textsIn(messages.zh as object) }
    }),
)

/** Labels that users of the product reported as unclear. */
const reported =
  /\b(look again|go on|goes on|begun|anew|under way|to come|given up|mend|is needed|has failed|heard of|made up|forgets?|ended well|whether all is well|at the moment|by itself|for ever|told|tells?)\b|^(Made|Written|Room)$/i

const reportedChinese = /最近变化|忘记|重复配置|启动 (Linux|Windows)|最晚截止|已放弃/

test('there are messages for every page', () => assert.ok(files.length > 20))

for (const { name, en, zh } of files) {
  test(`${name}: both languages have the same texts, and none is empty`, () => {
    assert.deepEqual(
      en.map(([key]) => key),
      zh.map(([key]) => key),
    )
    for (const [key, text] of [...en, ...zh]) {
      assert.notEqual(text.trim(), '', key)
      assert.doesNotMatch(text, / {2}|undefined/, key)
    }
  })

  test(`${name}: the texts have no reported label`, () => {
    for (const [key, text] of en) assert.doesNotMatch(text, reported, key)
    for (const [key, text] of zh) assert.doesNotMatch(text, reportedChinese, key)
  })

  test(`${name}: a text uses its parameters in both languages`, () => {
    const parameters = (text: string): Set<string> => new Set(text.match(/<\d>/g))
    const chinese = new Map(zh)
    for (const [key, text] of en) {
      const own = parameters(chinese.get(key) ?? '')
      for (const parameter of own) assert.ok(parameters(text).has(parameter), `${key}: ${text}`)
    }
  })
}
