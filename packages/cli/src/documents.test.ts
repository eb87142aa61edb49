import { strict as assert } from 'node:assert'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { exitCodeMeanings, exitCodes } from './exit-codes.ts'

test('the documents tell the exit codes that there are', () => {
  const rows = Object.entries(exitCodes).map(
    ([name, code]) => `| ${code} | ${exitCodeMeanings[name as keyof typeof exitCodes]} |`,
  )
  for (const path of ['../README.md', '../../../docs/cli.md'])
    assert.ok(readFileSync(new URL(path, import.meta.url), 'utf8').includes(rows.join('\n')), path)
})
