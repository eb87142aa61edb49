import { strict as assert } from 'node:assert'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

/** ASVS 5.0.0: in each section, how many requirements are of level 1 or 2. They come first. Of V10 the parts of a client apply; V17 does not. */
const asvs: Readonly<Record<string, number>> = {
  ...{ '1.1': 2, '1.2': 9, '1.3': 11, '1.4': 3, '1.5': 2, '2.1': 3, '2.2': 3, '2.3': 4, '2.4': 1 },
  ...{ '3.2': 2, '3.3': 4, '3.4': 6, '3.5': 5, '3.7': 2, '4.1': 3, '4.2': 1, '4.3': 2, '4.4': 4 },
  ...{ '5.1': 1, '5.2': 3, '5.3': 2, '5.4': 3, '6.1': 3, '6.2': 12, '6.3': 4, '6.4': 4, '6.5': 5, '6.6': 3, '6.8': 4 },
  ...{ '7.1': 3, '7.2': 4, '7.3': 2, '7.4': 5, '7.5': 2, '7.6': 2, '8.1': 2, '8.2': 3, '8.3': 1, '8.4': 1 },
  ...{ '9.1': 3, '9.2': 4, '11.1': 2, '11.2': 3, '11.3': 3, '11.4': 4, '11.5': 1, '11.6': 1 },
  ...{ '10.1': 2, '10.2': 2, '10.5': 5 },
  ...{ '12.1': 3, '12.2': 2, '12.3': 4, '13.1': 1, '13.2': 5, '13.3': 2, '13.4': 5, '14.1': 2, '14.2': 4, '14.3': 3 },
  ...{ '15.1': 3, '15.2': 3, '15.3': 7, '16.1': 1, '16.2': 5, '16.3': 4, '16.4': 3, '16.5': 3 },
}

interface Row {
  readonly id: string
  readonly verifiedBy: string
}

const page = readFileSync(join(root, 'docs/security.md'), 'utf8')
const lines: Row[] = page.split('\n').map((line) => {
  const [, id = '', , verifiedBy = ''] = line.split(/ ?\| ?/)
  return { id, verifiedBy }
})
const rows = lines.filter(({ id }) => /^(API\d+|\d+\.\d+\.\d+(–\d+)?)$/.test(id))

/** `file` › name, with … for what differs from row to row. The page may leave out the suffixes that decide where a file runs. */
function exists(text: string): boolean {
  const [, file = '', name = ''] = /^`([^`]+)` › (.*)$/.exec(text) ?? []
  const path = /^(packages|scripts)\//.test(file) ? file : join('packages/server/src', file)
  const found = globSync(path.replace(/(\.(slow|long))?\.test\.ts$/, '{,.*}.test.ts'), { cwd: root })
  const titles = found.flatMap((one) => [
    ...readFileSync(join(root, one), 'utf8').matchAll(/\btest(?:Once)?\(\s*(['"`])((?:\\.|(?!\1).)*)\1/g),
  ])
  return name !== '' && titles.some(([, , title = '']) => plain(title) === name)
}

/** A title in the source, with … for placeholders and without escapes. */
function plain(title: string): string {
  let text = title.replaceAll(/\\(.)/g, '$1')
  // innermost first, since placeholders may contain templates
  for (let before = ''; before !== text; ) {
    before = text
    text = text.replaceAll(/\$\{[^{}]*\}/g, '…')
  }
  return text
}

const numbers = (section: string, from: number, to: number): string[] =>
  Array.from({ length: to - from + 1 }, (_, index) => `${section}.${from + index}`)

function expanded(id: string): string[] {
  const [, section, from, to] = /^(\d+\.\d+)\.(\d+)–(\d+)$/.exec(id) ?? []
  return section === undefined ? [id] : numbers(section, Number(from), Number(to))
}

test('every requirement of levels 1 and 2, and every risk of the ten, has exactly one row', () => {
  const wanted = Object.entries(asvs).flatMap(([section, count]) => numbers(section, 1, count))
  const risks = Array.from({ length: 10 }, (_, index) => `API${index + 1}`)
  assert.deepEqual(rows.flatMap(({ id }) => expanded(id)).sort(), [...wanted, ...risks].sort())
})

test('every row names tests, or gives the reason why it has none', () => {
  const silent = rows.filter(
    ({ verifiedBy }) => !verifiedBy.startsWith('`') && !/^(n\/a|no test|not met): \S/.test(verifiedBy),
  )
  assert.deepEqual(silent, [])
})

test('every test that is named exists', () => {
  const named = lines.flatMap(({ id, verifiedBy }) =>
    (verifiedBy.startsWith('`') ? verifiedBy.split('<br>') : []).map((one) => [id, one]),
  )
  assert.ok(named.length > 100)
  assert.deepEqual(
    named.filter(([, one = '']) => !exists(one)),
    [],
  )
})
