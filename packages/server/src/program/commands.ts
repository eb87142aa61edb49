import { existsSync, renameSync } from 'node:fs'
import { resolve } from 'node:path'
import { backup } from '@wharf/database/backup.ts'
import { readBackup } from '@wharf/database/backup-file.ts'
import { BackupRefused } from '@wharf/database/backup-format.ts'
import { isDamaged } from '@wharf/database/failures.ts'
import { migrationNames } from '@wharf/database/migrations/index.ts'
import { migrate, openDatabase, pendingMigrations, sqliteFile } from '@wharf/database/open.ts'
import { restore } from '@wharf/database/restore.ts'
import type { OpenedDatabase } from '@wharf/database/sqlite.ts'
import { damagedFile, findAllDamage, refuseDamaged } from '@wharf/database/sqlite-check.ts'
import { lockFolder } from '@wharf/platform/folder-lock.ts'
import { findMasterKey, masterKeyPath } from '@wharf/platform/master-key.ts'
import { OperatorError } from '@wharf/platform/operator-error.ts'
import { Sealing } from '@wharf/platform/sealing.ts'
import { version } from '@wharf/platform/version.ts'
import { removeLastDigest } from '../audit/last-digest.ts'
import { nodeUuidOf } from '../composition/bootstrap.ts'
import { bootstrapPath } from '../composition/bootstrap-file.ts'
import {
  adoptNodeUuid,
  refuseLostDatabase,
  refuseOlderDatabase,
  removeLastWrite,
} from '../composition/database-checks.ts'
import { knownFingerprint, openSealing, refuseOtherKey } from '../composition/master-key-check.ts'
import type { Settings } from '../composition/settings.ts'
import { resetPassword } from './reset-password.ts'
import { rotateMasterKey } from './rotate-master-key.ts'

const print = (text: string): void => void process.stdout.write(`${text}\n`)

/** Works while a server runs: it reads a consistent snapshot. */
export async function backupCommand(settings: Settings, file: string): Promise<void> {
  refuseLostDatabase(settings)
  if (isMissing(settings)) throw new OperatorError(`there is no database in ${settings.data}: nothing to back up`)
  await using database = await use(settings)
  const path = resolve(file)
  const { rows, fingerprint } = await namingDamage(settings, async () => {
    await requireUpToDate(database)
    const fingerprint = await knownFingerprint(database)
    if (fingerprint === undefined) throw new OperatorError('no server has used this database yet: nothing to back up')
    const written = await backup(database, path, { keyFingerprint: fingerprint, version, data: settings.data })
    return { ...written, fingerprint }
  })
  print(`${rows} rows written to ${path}`)
  print(`To restore it you need the master key with fingerprint ${fingerprint}, which is not in it.`)
}

/** Into an empty database, with no server on the data folder. An error leaves nothing behind. */
export async function restoreCommand(settings: Settings, file: string): Promise<void> {
  const path = resolve(file)
  const keyFingerprint = await fittingKey(settings, path)
  using _lock = lockFolder(settings.data)
  refuseOrphanedLog(settings)
  refuseLeftDatabase(settings)
  await using database = await use(settings)
  await migrate(database)
  const { rows } = await restore(database, path, { keyFingerprint })
  await adoptNodeUuid(database, settings.data)
  removeLastDigest(settings.data)
  removeLastWrite(settings.data)
  print(`${rows} rows restored. Start the server to continue.`)
}

async function fittingKey(settings: Settings, path: string): Promise<string> {
  const key = findMasterKey(settings)
  const here = key && new Sealing(key).fingerprint
  const needed = await readBackup(path, async ({ header }) => header.keyFingerprint)
  if (here === needed) return here
  const put = `put it into ${masterKeyPath(settings.data)} or set WHARF_MASTER_KEY_FILE`
  throw new BackupRefused(
    `the backup needs the master key with fingerprint ${needed}; ${here ? `the one here has ${here}` : 'there is none here'}: ${put}`,
  )
}

export async function migrateCommand(settings: Settings, checkOnly: boolean): Promise<void> {
  if (checkOnly) {
    const pending = await toDo(settings)
    print(pending.length === 0 ? 'The database is up to date.' : `Still to do: ${pending.join(', ')}`)
    process.exitCode = pending.length === 0 ? 0 : 1
    return
  }
  // PostgreSQL has its own lock, and servers of the previous version can keep running
  using _lock = settings.databaseUrl === undefined ? lockFolder(settings.data) : undefined
  refuseLostDatabase(settings)
  await using database = await useSound(settings)
  await refuseOlderDatabase(database, settings.data)
  const done = await migrate(database)
  print(done.length === 0 ? 'The database was up to date.' : `Done: ${done.join(', ')}`)
}

/** Prints a new password; its sessions end, its access keys stay. */
export async function resetPasswordCommand(settings: Settings, name: string, removesFactors: boolean): Promise<void> {
  refuseLostDatabase(settings)
  if (isMissing(settings)) throw new OperatorError(`there is no database in ${settings.data}`)
  // nodes on PostgreSQL receive the event; a node on SQLite does not see writes of other processes
  using _lock = settings.databaseUrl === undefined ? lockFolder(settings.data) : undefined
  await using database = await use(settings)
  await requireUpToDate(database)
  const sealing = await openSealing(database, settings)
  const nodeUuid = nodeUuidOf(settings.data)
  const { password, hasSecondFactor } = await resetPassword(
    { database, sealing, settings, nodeUuid },
    { name, removesFactors },
  )
  print(`The password of ${name} is now ${password}`)
  if (hasSecondFactor)
    print('Each sign-in also requires its second factor; if it is lost, repeat with --remove-second-factors')
}

/** Works while servers run. */
export async function rotateMasterKeyCommand(settings: Settings, newKeyFile: string | undefined): Promise<void> {
  refuseLostDatabase(settings)
  if (isMissing(settings)) throw new OperatorError(`there is no database in ${settings.data}`)
  await using database = await use(settings)
  await requireUpToDate(database)
  await rotateMasterKey(database, settings, { newKeyFile, print })
}

/** An empty database with the key of a lost one, which a start never creates automatically. */
export async function initCommand(settings: Settings): Promise<void> {
  const { data } = settings
  if (settings.databaseUrl !== undefined)
    throw new OperatorError(
      'init creates a SQLite database; for PostgreSQL, create an empty database and start the server',
    )
  using _lock = lockFolder(data)
  refuseOrphanedLog(settings)
  const file = sqliteFile(data)
  if (!isMissing(settings))
    throw new OperatorError(`${file} exists: move it away first to start with an empty database`)
  await using database = await use(settings)
  await migrate(database)
  await openSealing(database, settings)
  removeLastDigest(data)
  removeLastWrite(data)
  const kept = renameFormer(bootstrapPath(data))
  print(`Created an empty database in ${data}.${kept === undefined ? '' : ` The former credentials are in ${kept}.`}`)
  print('Start the server to create its admin.')
}

/** The first credentials of the former database, in case its file is found. */
function renameFormer(path: string): string | undefined {
  if (!existsSync(path)) return undefined
  const kept = `${path}.${new Date().toISOString().replaceAll(/\W/g, '')}`
  renameSync(path, kept)
  return kept
}

/** All checks of the engine. Works while a server runs. */
export async function checkCommand(settings: Settings): Promise<void> {
  refuseLostDatabase(settings)
  if (isMissing(settings)) throw new OperatorError(`there is no database in ${settings.data}: nothing to check`)
  await using database = await use(settings)
  await requireUpToDate(database)
  await refuseOlderDatabase(database, settings.data)
  await refuseOtherKey(database, settings)
  const found = database.engine === 'sqlite' ? await findAllDamage(database) : []
  if (found.length > 0) throw damagedFile(sqliteFile(settings.data), found)
  print('The database is intact.')
  if (database.engine === 'postgres') print('The files of PostgreSQL are checked by pg_amcheck, on its own machine.')
}

/** SQLite deletes a log whose database is missing, and with it what may be recovered. */
function refuseOrphanedLog({ data, databaseUrl }: Settings): void {
  const log = `${sqliteFile(data)}-wal`
  if (databaseUrl === undefined && !existsSync(sqliteFile(data)) && existsSync(log))
    throw new OperatorError(`${log} exists without its database: move it away first`)
}

/** Opening a database that a server left without closing it changes its files, which show what was lost. */
function refuseLeftDatabase({ data, databaseUrl }: Settings): void {
  const file = sqliteFile(data)
  if (databaseUrl === undefined && existsSync(file) && ['-wal', '-shm'].some((end) => existsSync(file + end)))
    throw new BackupRefused(`a server has used ${file} and has not closed it: move wharf.db* away first`)
}

async function toDo(settings: Settings): Promise<string[]> {
  refuseLostDatabase(settings)
  if (isMissing(settings)) return migrationNames
  await using database = await use(settings)
  return await pendingMigrations(database)
}

async function requireUpToDate(database: OpenedDatabase): Promise<void> {
  if ((await pendingMigrations(database)).length > 0)
    throw new OperatorError('the database is of an older Wharf: update it first with wharf-server migrate')
}

/** Opening a SQLite file creates it. */
const isMissing = ({ data, databaseUrl }: Settings): boolean =>
  databaseUrl === undefined && !existsSync(sqliteFile(data))

/** Reading every row finds the damage that concerns them, without a check that would read all of the file once more. */
async function namingDamage<T>(settings: Settings, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const damage = [error, (error as Error).cause].find(isDamaged)
    if (damage === undefined || settings.databaseUrl !== undefined) throw error
    throw damagedFile(sqliteFile(settings.data), [(damage as Error).message])
  }
}

/** Under the lock of the data folder: no running server is blocked by a full check. */
async function useSound(settings: Settings): Promise<OpenedDatabase & AsyncDisposable> {
  const database = await use(settings)
  try {
    await refuseDamaged(database, sqliteFile(settings.data), Number.POSITIVE_INFINITY)
    return database
  } catch (error) {
    await database.close()
    throw error
  }
}

async function use(settings: Settings): Promise<OpenedDatabase & AsyncDisposable> {
  const database = await openDatabase(settings)
  return Object.assign(database, { [Symbol.asyncDispose]: () => database.close() })
}
