import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Elaboration } from './elaboration.ts'
import { readEntries } from './read-entries.ts'

const folder = new URL('catalogue/', import.meta.url)
const source = 'Wharf'

/** The entries that Wharf includes. They are checked by tests, not at every start. */
export function readBuiltInCatalogue(): Elaboration[] {
  return readdirSync(fileURLToPath(folder))
    .filter((name) => name.endsWith('.json'))
    .sort()
    .flatMap((name) => readEntries(readFileSync(new URL(name, folder), 'utf8'), source).entries)
}
