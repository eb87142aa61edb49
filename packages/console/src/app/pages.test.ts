import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { helpMessages } from './help-messages.ts'
import { messages } from './messages.ts'
import { helpCategories, pages, sections } from './pages.ts'

const names = Object.keys(pages).sort()

test('every page except the first and the last is in one section of the navigation', () => {
  const listed: string[] = sections.flatMap((section) => [...section.pages])
  assert.deepEqual(['overview', ...listed, 'documents'].sort(), names)
})

test('every page has a folder, and every folder is a page', () => {
  const folders = globSync('*', { cwd: new URL('../pages/', import.meta.url) })
  assert.deepEqual(folders.toSorted(), names)
})

test('every page and section has a name in both languages', () => {
  for (const language of [messages.en, messages.zh]) {
    const { reference: _, ...named } = language.pages
    assert.deepEqual(Object.keys(named).sort(), names)
    assert.deepEqual(Object.keys(language.sections).sort(), sections.map(({ name }) => name).toSorted())
  }
})

test('every page has a help text in both languages', () => {
  for (const language of [helpMessages.en, helpMessages.zh]) assert.deepEqual(Object.keys(language).sort(), names)
})

test('every page has a help category', () => assert.deepEqual(Object.keys(helpCategories).sort(), names))

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
