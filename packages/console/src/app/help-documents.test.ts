import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { headingId } from '../pages/documents/heading-id.ts'
import { parseMarkdown } from '../pages/documents/markdown.ts'
import { documentNames } from '../pages/documents/messages.ts'
import { helpDocuments } from './help-documents.ts'

const docs = new URL('../../../../docs/', import.meta.url)
const headings = new Map<string, string[]>(
  documentNames.map((name) => [
    name,
    parseMarkdown(readFileSync(new URL(`${name}.md`, docs), 'utf8')).flatMap((block) =>
      block.kind === 'heading' ? [block.id] : [],
    ),
  ]),
)

test('the console contains every document', () => {
  const files = readdirSync(docs).filter((file) => file.endsWith('.md'))
  assert.deepEqual(files.toSorted(), documentNames.map((name) => `${name}.md`).toSorted())
})

test('the help of every page leads to headings that exist', () => {
  for (const [page, places] of Object.entries(helpDocuments)) {
    assert.ok(places.length > 0, page)
    for (const [name, heading] of places)
      if (heading !== undefined)
        assert.ok(headings.get(name)?.includes(headingId(heading)), `${page}: ${name}.md has no ${heading}`)
  }
})
