import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { helpCategories } from './help-categories.ts'

const catalogue = new URL('../../../elaborations/src/catalogue/', import.meta.url)

test('the help of every page names a category that the catalogue has', () => {
  const known = new Set(
    globSync('*.json', { cwd: catalogue }).flatMap((name) =>
      (JSON.parse(readFileSync(new URL(name, catalogue), 'utf8')) as { category: string }[]).map(
        ({ category }) => category,
      ),
    ),
  )
  for (const [page, category] of Object.entries(helpCategories))
    assert.ok(known.has(category), `${page}: ${category} is none of ${[...known].join(', ')}`)
})
