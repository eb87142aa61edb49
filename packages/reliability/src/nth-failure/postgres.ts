import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { readBackup } from '@wharf/database/backup-file.ts'
import { migrate, pendingMigrations } from '@wharf/database/open.ts'
import { openPostgres } from '@wharf/database/postgres.ts'
import type { OpenedDatabase } from '@wharf/database/sqlite.ts'
import { openSealing } from '@wharf/server/composition/master-key-check.ts'
import { readSettings } from '@wharf/server/composition/settings.ts'
import { freshPostgresDatabase, runServerProgram } from '@wharf/testkit'
import { countCommand, endingOf, type FileSite, runCommand } from './commands.ts'
import { makeOlder, olderTags } from './older-database.ts'
import type { Scenario } from './scenario.ts'

/** How a command reaches PostgreSQL. */
export const connectSites: readonly FileSite[] = ['ECONNREFUSED', 'ETIMEDOUT'].map((error) => {
  return { name: 'the connection to PostgreSQL', call: 'connect', error }
})

interface Cleanup {
  after(work: () => Promise<void>): void
}

/** An empty database of PostgreSQL, and the settings of a command that is to use it. */
async function emptyDatabase(t: Cleanup, data: string) {
  const { url, remove } = await freshPostgresDatabase()
  t.after(remove)
  return { WHARF_DATA: data, WHARF_DATABASE_URL: url, WHARF_MASTER_KEY: randomBytes(32).toString('hex') }
}

async function using<T>(url: string, work: (database: OpenedDatabase) => Promise<T>): Promise<T> {
  const database = openPostgres(url)
  return work(database).finally(() => database.close())
}

const tagsIn = (url: string): Promise<string[]> =>
  using(url, async ({ read }) => {
    const rows = await read.selectFrom('tags').select('name').orderBy('createDate').execute()
    return rows.map(({ name }) => name)
  })

export function migratePostgres(t: Cleanup, folder: string, sites = connectSites): Scenario<FileSite> {
  const older = async () => {
    const environment = await emptyDatabase(t, join(folder, 'data'))
    await using(environment.WHARF_DATABASE_URL, makeOlder)
    return environment
  }
  return {
    name: 'migrate',
    sites,
    count: async () => countCommand(await older(), ['migrate'], sites),
    run: async (site, fault) => {
      const environment = await older()
      const url = environment.WHARF_DATABASE_URL
      const ending = endingOf(await runCommand(environment, ['migrate'], site, fault), fault)
      assert.deepEqual(await tagsIn(url), olderTags)
      const again = await runServerProgram(environment, ['migrate'])
      assert.equal(again.code, 0, again.stderr)
      assert.deepEqual(await using(url, pendingMigrations), [])
      assert.deepEqual(await tagsIn(url), olderTags)
      return ending
    },
  }
}

export async function backupPostgres(t: Cleanup, folder: string, sites = connectSites): Promise<Scenario<FileSite>> {
  const environment = await emptyDatabase(t, join(folder, 'data'))
  await using(environment.WHARF_DATABASE_URL, async (database) => {
    await makeOlder(database)
    await migrate(database)
    await openSealing(database, readSettings(environment, { root: folder }))
  })
  const target = join(folder, 'backups')
  mkdirSync(target)
  const file = join(target, 'wharf.backup')
  const requireWhole = async (): Promise<void> => {
    const { rows } = await readBackup(file, async ({ end }) => end)
    assert.ok(rows > olderTags.length)
    rmSync(file)
  }
  return {
    name: 'backup',
    sites,
    count: async () => {
      const counts = await countCommand(environment, ['backup', file], sites)
      await requireWhole()
      return counts
    },
    run: async (site, fault) => {
      const ended = await runCommand(environment, ['backup', file], site, fault)
      const ending = endingOf(ended, fault)
      if (ended.code === 0) await requireWhole()
      assert.deepEqual(readdirSync(target), [])
      const again = await runServerProgram(environment, ['backup', file])
      assert.equal(again.code, 0, again.stderr)
      await requireWhole()
      return ending
    },
  }
}
