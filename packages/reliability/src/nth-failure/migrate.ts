import assert from 'node:assert/strict'
import { copyFileSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { migrate, sqliteFile } from '@wharf/database/open.ts'
import { openSqlite } from '@wharf/database/sqlite.ts'
import { countCommand, endingOf, type FileSite, runCommand, sqliteSites } from './commands.ts'
import { contentOf, requireIntegrity } from './database.ts'
import { makeOlder, olderTags } from './older-database.ts'
import type { Scenario } from './scenario.ts'

/** `wharf-server migrate` on a database of an earlier release. */
export async function migrateScenario(folder: string): Promise<Scenario<FileSite>> {
  const data = join(folder, 'migrated')
  const older = join(folder, 'older.db')
  const file = sqliteFile(data)
  const database = openSqlite(older)
  await makeOlder(database)
  await database.close()

  const environment = { WHARF_DATA: data }
  const sites = sqliteSites(data)
  const seedOlder = (): void => {
    rmSync(data, { recursive: true, force: true })
    mkdirSync(data)
    copyFileSync(older, file)
  }
  let migrated: string | undefined
  return {
    name: 'migrate',
    sites,
    count: async () => {
      seedOlder()
      const counts = await countCommand(environment, ['migrate'], sites)
      migrated = contentOf(file)
      return counts
    },
    run: async (site, fault) => {
      seedOlder()
      const ended = await runCommand(environment, ['migrate'], site, fault)
      const ending = endingOf(ended, fault)
      requireIntegrity(file)
      assert.deepEqual(tagsIn(file), olderTags)
      if (ended.code === 0) assert.equal(contentOf(file), migrated)
      await migrateAgain(file)
      requireIntegrity(file)
      assert.equal(contentOf(file), migrated)
      return ending
    },
  }
}

/** Without a fault, by what the command calls: a program takes half a second more. */
async function migrateAgain(file: string): Promise<void> {
  const database = openSqlite(file)
  try {
    await migrate(database)
  } finally {
    await database.close()
  }
}

function tagsIn(file: string): string[] {
  using database = new DatabaseSync(file)
  const rows = database.prepare('select "name" from "tags" order by "createDate"').all() as { name: string }[]
  return rows.map(({ name }) => name)
}
