import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import type { Kysely } from 'kysely'
import { type Database, refuseInsideTransaction, runTransaction, warnOfFailure } from './database.ts'
import { ReadBudget } from './read-budget.ts'
import { type ReadLimits, readLimits, waitingPerUser } from './read-cost.ts'
import { Connection, kyselyOver, ReadDriver } from './sqlite-driver.ts'
import { SqliteFaults } from './sqlite-faults.ts'
import { LogSize } from './sqlite-log-size.ts'
import { SlowReads } from './sqlite-slow-reads.ts'
import { NewCommitDriver, WriteDriver } from './sqlite-writer.ts'
import type { Tables } from './tables.ts'
import { ThreadCpuClock } from './thread-cpu-clock.ts'

export interface OpenedDatabase extends Database {
  /** For migrations and restore only. */
  readonly writer: Kysely<Tables>
  /** Of SQLite, whose files are this node's own. */
  readonly faults?: SqliteFaults
}

export function openSqlite(file: string, limits: ReadLimits = readLimits, report = warnOfFailure): OpenedDatabase {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const rawWriter = new DatabaseSync(file, { timeout: 5000 })
  // FULL: a commit that was acknowledged is on the disk
  rawWriter.exec('pragma journal_mode = wal; pragma synchronous = full; pragma cache_size = -65536')
  const rawReader = new DatabaseSync(file, { timeout: 5000, readOnly: true })
  // not mapped: a file that others truncate would end the process by SIGBUS
  rawReader.exec('pragma cache_size = -65536; pragma mmap_size = 0')
  const dataVersion = rawReader.prepare('pragma data_version')
  const log = new LogSize(`${file}-wal`)
  const faults = new SqliteFaults(log)
  const driver = new WriteDriver(rawWriter, faults, () => markRead(dataVersion, faults))
  const [writer, newCommits] = [kyselyOver(driver), kyselyOver(new NewCommitDriver(driver))]
  const readConnection = new Connection(rawReader, faults)
  const reader = kyselyOver(new ReadDriver(rawReader, readConnection))
  const slowReads = new SlowReads(file, limits.readMs)
  const { mainThreadMs } = limits
  // long scans of one user have a tenth of the main thread
  const budget = new ReadBudget({ freeMs: mainThreadMs / 2, capacityMs: mainThreadMs * 3, refill: 0.1 })
  const cpuClock = new ThreadCpuClock()
  const noted = (error: unknown): never => {
    faults.note(error)
    throw error
  }
  return {
    engine: 'sqlite',
    writer,
    faults,
    get read() {
      refuseInsideTransaction()
      return reader
    },
    rows: async (sql, values, { cost = 'page', isLarge = false, userUuid = '', disconnectSignal } = {}) => {
      refuseInsideTransaction()
      if (cost === 'page' && !isLarge) return readConnection.rows(sql, values)
      if (cost !== 'slow' && budget.hasLeft(userUuid)) {
        const from = performance.now()
        const cpuFrom = cpuClock.startMs(from)
        const rows = readConnection.rowsWithin(mainThreadMs, sql, values, isLarge)
        // the processor time is not longer
        if (!budget.isFree(performance.now() - from)) budget.charge(userUuid, cpuClock.nowMs() - cpuFrom)
        if (rows) return rows
      }
      return slowReads
        .rows({ sql, values }, { share: userUuid, maxWaiting: waitingPerUser[cost], disconnectSignal })
        .catch(noted)
    },
    transaction: (work, { isLarge = false } = {}) => runTransaction(isLarge ? newCommits : writer, work, report),
    // the one writer is the lock
    lock: async () => {},
    // SQLite has no peers
    onPeerCommit: () => () => {},
    notifyPeers: () => {},
    close: async () => {
      await slowReads.close()
      // Kysely does not close a connection that was never used; the writer is closed last, because only it can truncate the log
      await reader.destroy()
      if (rawReader.isOpen) rawReader.close()
      await writer.destroy()
      if (rawWriter.isOpen) rawWriter.close()
      log.close()
    },
  }
}

/**
 * The first read after a commit writes to the shared memory of the log. While a disk hangs that could block, so it is done
 * at once, while those pages are still being written to.
 */
function markRead(read: StatementSync, faults: SqliteFaults): void {
  try {
    read.get()
  } catch (error) {
    faults.note(error)
  }
}
