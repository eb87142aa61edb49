import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { readBackup } from '@wharf/database/backup-file.ts'
import { migrate, sqliteFile } from '@wharf/database/open.ts'
import { openSqlite } from '@wharf/database/sqlite.ts'
import { openSealing } from '@wharf/server/composition/master-key-check.ts'
import { readSettings } from '@wharf/server/composition/settings.ts'
import { runServerProgram } from '@wharf/testkit'
import { countCommand, endingOf, type FileSite, runCommand, sqliteSites } from './commands.ts'
import { contentOf, requireIntegrity } from './database.ts'
import type { Scenario } from './scenario.ts'

/** `wharf-server backup` of a database that no server has open, so that it makes the files of SQLite too. */
export async function backupScenario(folder: string): Promise<Scenario<FileSite>> {
  const data = join(folder, 'backed-up')
  const target = join(folder, 'backups')
  const file = join(target, 'wharf.backup')
  const environment = { WHARF_DATA: data }
  const database = sqliteFile(data)
  await fill(data)
  mkdirSync(target)
  const before = contentOf(database)
  const sites = [...sqliteSites(data).filter(({ paths }) => paths?.[0]?.endsWith('-shm')), ...backupSites(target, file)]
  let whole: string[] | undefined
  const requireWhole = async (): Promise<void> => {
    assert.deepEqual(readdirSync(target), ['wharf.backup'])
    assert.deepEqual(await linesOf(file), whole)
  }
  return {
    name: 'backup',
    sites,
    count: async () => {
      const counts = await countCommand(environment, ['backup', file], sites)
      whole = await linesOf(file)
      return counts
    },
    run: async (site, fault) => {
      rmSync(file, { force: true })
      const ended = await runCommand(environment, ['backup', file], site, fault)
      const ending = endingOf(ended, fault)
      requireIntegrity(database)
      assert.equal(contentOf(database), before)
      if (ended.code === 0) await requireWhole()
      else {
        assert.deepEqual(readdirSync(target), [], 'a failed backup leaves no file')
        const again = await runServerProgram(environment, ['backup', file])
        assert.equal(again.code, 0, again.stderr)
        await requireWhole()
      }
      return ending
    },
  }
}

const backupSites = (target: string, file: string): readonly FileSite[] => {
  const part = [`${file}.part`]
  return [
    { name: 'the backup', call: 'write', error: 'ENOSPC', paths: part },
    { name: 'fsync of the backup', call: 'fsync', error: 'EIO', paths: part },
    { name: 'its name', call: 'rename', error: 'ENOSPC', paths: part },
    { name: 'fsync of its folder', call: 'fsync', error: 'EIO', paths: [target] },
  ]
}

/** What cannot be packed small, so that the backup takes several writes. */
async function fill(data: string): Promise<void> {
  const database = openSqlite(sqliteFile(data))
  await migrate(database)
  await openSealing(database, readSettings({ WHARF_DATA: data }, { root: data }))
  const tags = Array.from({ length: 400 }, (_, number) => {
    const name = randomBytes(100).toString('base64')
    return { uuid: number.toString(16).padStart(32, '0'), name, color: null, createDate: number, lastOpDate: number }
  })
  await database.transaction((tx) => tx.insertInto('tags').values(tags).execute())
  await database.close()
}

const linesOf = (file: string): Promise<string[]> => readBackup(file, ({ lines }) => Array.fromAsync(lines()))
