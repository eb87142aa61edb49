import assert from 'node:assert/strict'
import { test } from 'node:test'
import { targetOf } from './document-link.ts'

const rows: [target: string, link: string | undefined][] = [
  ['https://tus.io/', 'https://tus.io/'],
  ['operating.md', '#/documents/operating'],
  ['operating.md#tls', '#/documents/operating?section=tls'],
  ['#output', '#/documents/cli?section=output'],
  ['glossary.md', '#/documents/glossary'],
  ['unknown.md', undefined],
  ['../ARCHITECTURE.md', undefined],
  ['package-format.schema.json', undefined],
  ['javascript:alert(1)', undefined],
]
for (const [target, link] of rows) test(`${target} leads to ${link}`, () => assert.equal(targetOf(target, 'cli'), link))
