import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { PackageFixture } from './package-fixture.ts'

const tables = ['softwarePackages', 'jobs', 'uploads', 'systemTags', 'userTags'] as const

/** Everything that a call could leave behind. Two of these are equal when nothing has happened in between. */
export async function leftovers({ server, folder }: PackageFixture) {
  const { database } = server.app.foundation
  const rows = await Promise.all(tables.map((table) => database.read.selectFrom(table).selectAll().execute()))
  const records = tables.map((table, index) => [table, rows[index]?.map(readable)])
  return { ...Object.fromEntries(records), files: [...filesIn(folder), ...keptByServer(server)] }
}

/** What is sealed changes together with what is not. */
const readable = (row: object): object =>
  Object.fromEntries(Object.entries(row).filter(([name]) => !name.startsWith('sealed')))

/** The server's own folders that packages pass through, or are kept in. */
export const keptByServer = ({ environment }: { environment: Record<string, string> }): string[] =>
  ['uploads', 'zips', 'backup-storage'].flatMap((name) => filesIn(join(environment.WHARF_DATA ?? '', name)))

/** Links are not followed: a folder that one leads to may be unreadable for this user. */
export const filesIn = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true })
    .flatMap((entry) => {
      const path = join(folder, entry.name)
      return entry.isDirectory() ? [path, ...filesIn(path)] : [path]
    })
    .toSorted()
