import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Elaboration } from './elaboration.ts'
import { readEntries } from './read-entries.ts'

const folder = new URL('catalogue/', import.meta.url)
/** Who wrote them. */
const source = 'Wharf'

/** What Wharf explains of itself. The tests have checked every entry, so that starting does not. */
export function readOwnCatalogue(): Elaboration[] {
  return readdirSync(fileURLToPath(folder))
    .filter((name) => name.endsWith('.json'))
    .sort()
    .flatMap((name) => readEntries(readFileSync(new URL(name, folder), 'utf8'), source).entries)
}
