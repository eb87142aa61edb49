import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { type FileHandle, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { ApiError } from '@wharf/platform/api-error.ts'
import { type DiskSpace, spaceIn } from '@wharf/platform/data-disk.ts'
import { reasonOf } from '@wharf/platform/operator-error.ts'
import { syncFolder } from '@wharf/platform/sync-folder.ts'
import {
  type BackupHeader,
  BackupRefused,
  endMember,
  formatName,
  formatVersion,
  type TableLine,
  toValue,
} from './backup-format.ts'
import type { Engine } from './database.ts'
import { isConnectionFailure } from './failures.ts'
import { quoteName } from './query-fields.ts'
import { inSnapshot, type RowsOf } from './snapshot.ts'
import type { OpenedDatabase } from './sqlite.ts'
import { tablesInOrder } from './table-order.ts'

/** `data`: the data folder, if any; the reserve of its disk is kept free. */
type About = Pick<BackupHeader, 'keyFingerprint' | 'version'> & { readonly data?: string }

/**
 * Writes everything in the database, as it is at one moment, into a new file. The database stays in use meanwhile.
 * The file appears under its name only when it is whole and on the disk.
 */
export async function backup(database: OpenedDatabase, file: string, about: About): Promise<{ rows: number }> {
  refuseExisting(file)
  const part = `${file}.part`
  const out = await openNew(part)
  let name = part
  try {
    const space = about.data === undefined ? undefined : await spaceIn(dirname(file), about.data)
    const rows = await inSnapshot(database, (rowsOf) => write(out, database.engine, rowsOf, about, space))
    await out.sync()
    await out.close()
    refuseExisting(file)
    await rename(part, file)
    name = file
    await syncFolder(dirname(file))
    return { rows }
  } catch (error) {
    await out.close().catch(() => {})
    // also when only the rename may be lost: after a failure the caller tries again with the same name
    await rm(name, { force: true })
    if (error instanceof ApiError) throw new BackupRefused(`cannot write ${file}: ${error.message}`, { cause: error })
    if ((error as NodeJS.ErrnoException).syscall === undefined || isConnectionFailure(error)) throw error
    throw new BackupRefused(`cannot write ${file}: ${reasonOf(error)}`, { cause: error })
  }
}

function refuseExisting(file: string): void {
  if (existsSync(file)) throw new BackupRefused(`${file} already exists; a backup does not overwrite`)
}

const reasons: Record<string, string> = {
  EEXIST: 'it exists; another backup is writing it, or one was interrupted and left it',
  ENOENT: 'the folder does not exist',
  EACCES: 'permission denied',
}

async function openNew(part: string): Promise<FileHandle> {
  try {
    return await open(part, 'wx', 0o600)
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code ?? ''
    throw new BackupRefused(`cannot write ${part}: ${reasons[code] ?? code}`, { cause })
  }
}

async function write(
  out: FileHandle,
  engine: Engine,
  rowsOf: RowsOf,
  about: About,
  space: DiskSpace | undefined,
): Promise<number> {
  const checksum = createHash('sha256')
  const counter = { rows: 0 }
  await pipeline(lines(engine, rowsOf, about, counter), createGzip(), async (compressed: AsyncIterable<Buffer>) => {
    for await (const chunk of compressed) {
      checksum.update(chunk)
      await space?.claim(chunk.length)
      await out.appendFile(chunk)
    }
  })
  await out.appendFile(endMember({ rows: counter.rows, sha256: checksum.digest('hex') }))
  return counter.rows
}

/** Small lines in large pieces: each piece costs a turn of the streams. */
const pieceLength = 64 * 1024

async function* lines(engine: Engine, rowsOf: RowsOf, about: About, counter: { rows: number }): AsyncGenerator<string> {
  let piece = `${JSON.stringify(await header(engine, rowsOf, about))}\n`
  for (const { name, columns } of await tablesInOrder(engine, rowsOf)) {
    piece += `${JSON.stringify({ table: name, columns } satisfies TableLine)}\n`
    for await (const row of rowsOf(`select ${columns.map(quoteName).join(', ')} from ${quoteName(name)}`)) {
      piece += `${JSON.stringify(columns.map((column) => toValue(row[column])))}\n`
      counter.rows++
      if (piece.length < pieceLength) continue
      yield piece
      piece = ''
    }
  }
  yield piece
}

const lastEventSql: Record<Engine, string> = {
  sqlite: `select seq as "last" from sqlite_sequence where name = 'events'`,
  postgres: `select pg_sequence_last_value(pg_get_serial_sequence('"events"', 'sequence')::regclass) as "last"`,
}

async function header(engine: Engine, rowsOf: RowsOf, about: About): Promise<BackupHeader> {
  const migrations: string[] = []
  for await (const row of rowsOf('select "name" from "migrations" order by "name"')) migrations.push(String(row.name))
  let lastEvent = 0
  for await (const row of rowsOf(lastEventSql[engine])) lastEvent = Number(row.last ?? 0)
  return {
    format: formatName,
    formatVersion,
    createdAt: new Date().toISOString(),
    version: about.version,
    engine,
    keyFingerprint: about.keyFingerprint,
    migrations,
    lastEvent,
  }
}
