import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { copyFileSync, mkdirSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { migrate, openDatabase } from '@wharf/database/open.ts'
import { masterKeyPath } from '@wharf/platform/master-key.ts'
import { readSettings } from '@wharf/server/composition/settings.ts'
import {
  ChatReceiver,
  Client,
  reverseCleanup,
  runServerProgram,
  ServerProcess,
  serverEnvironment,
  testEngine,
} from '@wharf/testkit'
import type { SeededRandom } from '../seeded-random.ts'
import { checkSecrets, checkState } from './check-restored.ts'
import { refuseDamaged } from './damage.ts'
import { seedRecords } from './seed-records.ts'
import { Writers } from './writers.ts'

interface Sizes {
  /** Of rows that are there before. */
  readonly rows: number
  /** Backups one after the other, each under new writes, each restored elsewhere. */
  readonly rounds: number
  /** Places in the first backup at which a byte is flipped, and at which it is cut short. */
  readonly places: number
}

interface Figures {
  /** Acknowledged before the start of a backup: all of them are in it. */
  readonly before: number
  /** Made while a backup was being made, and how many of these are in it. */
  readonly during: number
  readonly duringKept: number
  readonly bytes: number
  readonly seconds: number
}

type Environment = Record<string, string>
type Cleanup = Parameters<typeof serverEnvironment>[0]
const writers = 6
/** Acknowledged before a backup starts. */
const warmUp = 100
const maxProgramMs = 300_000
const allowed = { WHARF_DOWNLOAD_ALLOW: '127.0.0.0/8', WHARF_LOG_LEVEL: 'warn' }
const dataOf = ({ WHARF_DATA = '' }: Environment): string => WHARF_DATA

/** `wharf-server backup` during writes at full speed, and the content of a restore elsewhere. */
export async function backupUnderLoad(
  t: Cleanup,
  { rows, rounds, places, random }: Sizes & { random: SeededRandom },
): Promise<Figures> {
  const cleanup = reverseCleanup(t)
  const receiver = await ChatReceiver.start(cleanup)
  const environment = { ...(await serverEnvironment(cleanup)), ...allowed }
  await fill(environment, rows)
  const server = new ServerProcess(environment)
  cleanup.after(() => server.kill())
  await server.start()
  const figures = { before: 0, during: 0, duringKept: 0, bytes: 0, seconds: 0 }
  const chat = await seedRecords(server, receiver)

  for (let round = 0; round < rounds; round++) {
    const own = random.fork(round)
    const file = join(dirname(dataOf(environment)), `backup-${round}`)
    const written = await Writers.start(server.admin, `round-${round}`, writers, own)
    cleanup.after(() => written.stop().catch(() => {}))
    await written.waitForWrites(warmUp)
    const began = performance.now()
    const made = await runServerProgram(environment, ['backup', file], maxProgramMs)
    const ended = performance.now()
    await written.stop()
    assert.deepEqual([made.code, made.stderr], [0, ''])

    const target = { ...(await prepareTarget(cleanup, environment)), ...allowed }
    if (round === 0) await refuseDamaged(file, target, { places, random: own.fork(1) })
    const restored = await runServerProgram(target, ['restore', file], maxProgramMs)
    assert.deepEqual([restored.code, restored.stderr], [0, ''])
    const second = new ServerProcess(target)
    cleanup.after(() => second.kill())
    await second.start()
    const admin = new Client(second.bootstrap.url, server.admin.credential)
    const kept = await checkState({ source: server.admin, restored: admin, written, began })
    await checkSecrets({ restored: admin, written, isKept: kept.isKept, chat, receiver })
    await second.stop()
    figures.before += kept.before
    figures.during += written.writes.filter((write) => write.began >= began && write.began <= ended).length
    figures.duringKept += kept.after
    figures.bytes += statSync(file).size
    figures.seconds += (ended - began) / 1000
  }
  return figures
}

/** Another folder, and on PostgreSQL another database, with the same master key. */
async function prepareTarget(cleanup: Cleanup, first: Environment): Promise<Environment> {
  const other = await serverEnvironment(cleanup, { hasTables: false })
  if (testEngine === 'postgres') return { ...other, WHARF_MASTER_KEY: first.WHARF_MASTER_KEY ?? '' }
  mkdirSync(dataOf(other), { mode: 0o700 })
  copyFileSync(masterKeyPath(dataOf(first)), masterKeyPath(dataOf(other)))
  return other
}

const batchRows = 500

/** Before the first start: what the backup has to carry besides, and cannot pack small. */
async function fill(environment: Environment, rows: number): Promise<void> {
  const database = await openDatabase(readSettings(environment, { root: tmpdir() }))
  try {
    await migrate(database)
    for (let from = 0; from < rows; from += batchRows) {
      const tags = Array.from({ length: Math.min(batchRows, rows - from) }, () => ({
        uuid: randomBytes(16).toString('hex'),
        name: randomBytes(40).toString('base64'),
        color: null,
        createDate: Date.now(),
        lastOpDate: Date.now(),
      }))
      await database.transaction((tx) => tx.insertInto('tags').values(tags).execute())
    }
  } finally {
    await database.close()
  }
}
