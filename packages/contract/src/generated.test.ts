import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { generated } from '../../../scripts/generate.ts'

const root = new URL('../../../', import.meta.url)

for (const [path, text] of Object.entries(generated())) {
  test(`${path} is what the contract generates`, () => {
    // compared as a whole: a diff of ten thousand lines helps nobody, git shows it better
    assert.ok(readFileSync(new URL(path, root), 'utf8') === text, `${path} is out of date: run npm run generate`)
  })
}
