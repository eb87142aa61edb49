import { strict as assert } from 'node:assert'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Compares the text with a file in golden/; UPDATE_GOLDEN=1 rewrites the file. */
export function assertGolden(name: string, text: string): void {
  const path = fileURLToPath(new URL(`golden/${name}`, import.meta.url))
  if (process.env.UPDATE_GOLDEN) {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  }
  assert.equal(text, readFileSync(path, 'utf8'), `${name} differs; run with UPDATE_GOLDEN=1 to accept it`)
}

/** Replaces values that differ in every run, and the width of columns. */
export const normalized = (text: string): string =>
  text
    .replace(/\b[0-9a-f]{32}\b/g, '<uuid>')
    .replace(/\b[A-Z][a-z]{2} \d{1,2}, \d{4} \d{1,2}:\d\d:\d\d [AP]M\b/g, '<time>')
    .replace(/\b\d+(\.\d+)? [KMGT]iB\b/g, '<size>')
    .replace(/http:\/\/127\.0\.0\.1:\d+/g, 'http://<server>')
    .replace(/^[0-9a-f]{8}(?= {2})/gm, '<id>')
    .replace(/(?<= )\d+:\d\d(?= |$)/gm, '<duration>')
    .replace(/(?<= )\d+[smhd]$/gm, '<age>')
    .replace(/ {2,}/g, '  ')
    .replace(/^(managementNode {2})\S+$/gm, '$1<node>')
