import { mkdirSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Settings } from './config.ts'
import { backup } from './database/backup.ts'
import { migrate, openDatabase, pendingMigrations } from './database/open.ts'
import { restore } from './database/restore.ts'
import type { OpenedDatabase } from './database/sqlite.ts'
import { lockFolder } from './platform/folder-lock.ts'
import { readMasterKey } from './platform/master-key.ts'
import { Sealing } from './platform/sealing.ts'
import { version } from './platform/version.ts'

async function withDatabase<T>(settings: Settings, work: (database: OpenedDatabase) => Promise<T>): Promise<T> {
  const database = openDatabase(settings)
  try {
    return await work(database)
  } finally {
    await database.close()
  }
}

const say = (text: string): void => void process.stdout.write(`${text}\n`)

/** Beside a running server: it reads one consistent moment. */
export async function backupCommand(settings: Settings, file: string): Promise<void> {
  const { fingerprint } = new Sealing(readMasterKey(settings))
  const path = resolve(file)
  const { rows } = await withDatabase(settings, (database) =>
    backup(database, path, { keyFingerprint: fingerprint, version }),
  )
  say(`${rows} rows written to ${path}. To restore it you need the master key ${fingerprint}, which is not in it.`)
}

/** Into an empty database, with no server on the data folder. */
export async function restoreCommand(settings: Settings, file: string): Promise<void> {
  mkdirSync(settings.data, { recursive: true, mode: 0o700 })
  const lock = lockFolder(settings.data)
  try {
    const { fingerprint } = new Sealing(readMasterKey(settings))
    const { rows } = await withDatabase(settings, async (database) => {
      await migrate(database)
      return restore(database, resolve(file), { keyFingerprint: fingerprint })
    })
    say(`${rows} rows restored.`)
  } finally {
    lock.release()
  }
}

export async function migrateCommand(settings: Settings, checkOnly: boolean): Promise<void> {
  mkdirSync(settings.data, { recursive: true, mode: 0o700 })
  await withDatabase(settings, async (database) => {
    if (checkOnly) {
      const pending = await pendingMigrations(database)
      say(pending.length === 0 ? 'The database is up to date.' : `Still to do: ${pending.join(', ')}`)
      process.exitCode = pending.length === 0 ? 0 : 1
      return
    }
    const done = await migrate(database)
    say(done.length === 0 ? 'The database was up to date.' : `Done: ${done.join(', ')}`)
  })
}
