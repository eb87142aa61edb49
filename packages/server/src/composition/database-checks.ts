import { existsSync, rmSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Database } from '@wharf/database/database.ts'
import { sqliteFile } from '@wharf/database/open.ts'
import { masterKeyPath } from '@wharf/platform/master-key.ts'
import { OperatorError } from '@wharf/platform/operator-error.ts'
import { readText, writePrivateFile } from '@wharf/platform/private-file.ts'
import { syncFolderSync } from '@wharf/platform/sync-folder.ts'
import { NodeStore } from '../resources/management-nodes/service.ts'
import { nodeUuidOf, nodeUuidPath } from './bootstrap.ts'
import { bootstrapPath } from './bootstrap-file.ts'
import { knownFingerprint } from './master-key-check.ts'
import type { Settings } from './settings.ts'

/** Contains the time of the newest heartbeat in the database. Exists while a server runs, and after it was killed. */
export const lastWritePath = (data: string): string => join(data, 'last-write')

const remedy =
  'put it back, or restore a backup (wharf-server restore FILE). To start with an empty database instead, run wharf-server init; a node on PostgreSQL needs WHARF_DATABASE_URL'

/** Opening a SQLite file creates it, and discards a log whose database is missing: both would hide that data is lost. */
export function refuseLostDatabase({ data, databaseUrl }: Settings): void {
  if (databaseUrl !== undefined) return
  const file = sqliteFile(data)
  const traces = [masterKeyPath(data), nodeUuidPath(data), bootstrapPath(data), `${file}-wal`].filter(existsSync)
  const fault = faultOf(file)
  if (fault !== undefined && traces.length > 0) {
    const names = traces.map((path) => basename(path)).join(', ')
    throw new OperatorError(`the database ${file} ${fault}, but this data folder was in use (${names}): ${remedy}`)
  }
  for (const part of [`${file}-wal`, `${file}-shm`])
    if (existsSync(part) && !statSync(part).isFile())
      throw new OperatorError(`${part} is not a file: move it away, then ${remedy}`)
  // SQLite removes both when it closes a database, the second one first
  if (existsSync(lastWritePath(data)) && existsSync(`${file}-shm`) && !existsSync(`${file}-wal`))
    throw new OperatorError(
      `${file}-wal is missing, and with it changes that were acknowledged: put it back, or restore a backup (wharf-server restore FILE). To accept the loss, delete ${file}-shm and ${lastWritePath(data)}`,
    )
}

/** An empty file is a database without tables to SQLite. */
function faultOf(file: string): string | undefined {
  if (!existsSync(file)) return 'is missing'
  const found = statSync(file)
  if (!found.isFile()) return 'is not a file'
  return found.size === 0 ? 'is empty' : undefined
}

/**
 * An older copy of the file, or one whose log was lost, opens without an error and lacks acknowledged changes. Before it
 * is migrated: a copy that is refused stays as it was.
 */
export async function refuseOlderDatabase(database: Database, data: string): Promise<void> {
  if (database.engine !== 'sqlite' || !existsSync(nodeUuidPath(data))) return
  const file = sqliteFile(data)
  const nodeUuid = nodeUuidOf(data)
  const expected = readLastWrite(data)
  const isUsed = await hasTables(database)
  const found = expected !== undefined && isUsed ? await newestHeartbeat(database, nodeUuid) : undefined
  if (expected !== undefined && (found === undefined || found < expected)) {
    const newest = found === undefined ? 'has no heartbeat of this node' : `ends at ${timeOf(found)}`
    throw new OperatorError(
      `the database ${file} ${newest}, but this server wrote to it until ${timeOf(expected)}: it is an older copy, or its ${basename(file)}-wal was lost. Put back the newest files, or restore a backup (wharf-server restore FILE). To accept the loss, delete ${lastWritePath(data)}`,
    )
  }
  if (isUsed) await refuseOthersDatabase(database, data)
  if (!isUsed || (await knownFingerprint(database)) === undefined)
    throw new OperatorError(
      `no server has used the database ${file}, but this data folder was in use (${basename(nodeUuidPath(data))}): move that file away and put the right one back, or restore a backup (wharf-server restore FILE). To start with an empty database instead, run wharf-server init`,
    )
}

/** Those that are read here; every version has them. */
async function hasTables(database: Database): Promise<boolean> {
  const found = await database.rows(
    `select 1 from sqlite_schema where "type" = 'table' and "name" in ('managementNodes', 'settings')`,
    [],
  )
  return found.length === 2
}

/** A SQLite database has one node. */
async function refuseOthersDatabase(database: Database, data: string): Promise<void> {
  const here = nodeUuidOf(data)
  const nodes = (await new NodeStore(database).list()).map(({ uuid }) => uuid)
  if (nodes.length > 0 && !nodes.includes(here))
    throw new OperatorError(
      `the database ${sqliteFile(data)} is that of management node ${nodes.join(', ')}, but ${nodeUuidPath(data)} contains ${here}: put the database of this node back, or, to use this one, write the uuid of its node into that file`,
    )
}

/** The node that opens a SQLite database takes its uuid, so that its hosts and jobs stay valid. */
export async function adoptNodeUuid(database: Database, data: string): Promise<void> {
  if (database.engine !== 'sqlite' || !(await hasTables(database))) return
  const nodes = await new NodeStore(database).list()
  if (nodes.length === 1 && nodes[0]) writePrivateFile(nodeUuidPath(data), `${nodes[0].uuid}\n`)
}

const timeOf = (ms: number): string => new Date(ms).toISOString()

function readLastWrite(data: string): number | undefined {
  if (!existsSync(lastWritePath(data))) return undefined
  const time = Number(readText(lastWritePath(data), 'delete it'))
  // a power loss may have left an empty file
  return time > 0 && Number.isSafeInteger(time) ? time : undefined
}

export async function newestHeartbeat(database: Database, nodeUuid: string): Promise<number | undefined> {
  return (await new NodeStore(database).listHeartbeats([nodeUuid]))[0]?.lastOpDate
}

/** Before the database is closed: SQLite may then remove the log. */
export function removeLastWrite(data: string): void {
  rmSync(lastWritePath(data), { force: true })
  if (existsSync(data)) syncFolderSync(data)
}
