import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { migrate } from '@wharf/database/open.ts'
import { openPostgres } from '@wharf/database/postgres.ts'
import { openSqlite } from '@wharf/database/sqlite.ts'
import { startPostgres } from '@wharf/testkit'
import { temporaryFolder } from './bench-server.ts'
import { appWithJobs } from './empty-jobs.ts'
import { compare, type Figure, reached } from './measure.ts'
import { type EngineAlone, type Pattern, postgresAlone, sqliteAlone } from './peers/engine-alone.ts'

const jobsPerRound = 2000
/** Concurrent callers. */
const workerCount = 100
const unit = 'jobs/s'

interface EngineCase {
  readonly engine: string
  readonly driver: string
  readonly aim: number
  /** The database settings of the server. */
  readonly environment: Record<string, string>
  /** The engine with a database of its own and no listeners. */
  alone(cleanup: AsyncDisposableStack, pattern: Pattern): Promise<EngineAlone>
}

/** Jobs with one empty step: queued, run and finished, each durably, per second on the clock. */
export async function jobs(rounds: number): Promise<Figure[]> {
  await using cleanup = new AsyncDisposableStack()
  const postgres = await startPostgres({ fsync: true })
  cleanup.defer(() => postgres.stop())
  const onSqlite: EngineCase = {
    engine: 'SQLite',
    driver: 'node:sqlite',
    aim: 3000,
    environment: {},
    alone: async (alone, pattern) => {
      const file = join(temporaryFolder(alone), 'alone.db')
      await prepare(openSqlite(file))
      return sqliteAlone(alone, file, pattern)
    },
  }
  const onPostgres: EngineCase = {
    engine: 'PostgreSQL',
    driver: 'pg',
    aim: 1200,
    environment: {
      WHARF_DATABASE_URL: await postgres.createDatabase(),
      WHARF_MASTER_KEY: randomBytes(32).toString('hex'),
    },
    alone: async (alone, pattern) => {
      const url = await postgres.createDatabase()
      await prepare(openPostgres(url))
      return postgresAlone(alone, url, pattern)
    },
  }
  return [...(await measureEngine(onSqlite, rounds)), ...(await measureEngine(onPostgres, rounds))]
}

async function prepare(database: ReturnType<typeof openSqlite>): Promise<void> {
  await migrate(database)
  await database.close()
}

async function measureEngine(
  { engine, driver, aim, environment, alone }: EngineCase,
  rounds: number,
): Promise<Figure[]> {
  await using cleanup = new AsyncDisposableStack()
  const { doJob, pattern } = await appWithJobs(cleanup, environment)
  const bare = await alone(cleanup, pattern)
  const rates: number[] = []
  const ours = async (): Promise<number> => {
    const rate = await perSecond((count) => runConcurrently(count, doJob))
    rates.push(rate)
    return rate
  }
  await perSecond((count) => runConcurrently(count, doJob))
  await perSecond(bare)
  const name = `empty jobs on ${engine}`
  const peer = `the same statements, bare ${driver}, each job with commits of its own`
  const compared = await compare({ name, unit, peer }, rounds, ours, () => perSecond(bare))
  return [reached({ name, unit, aim }, rates), compared]
}

async function runConcurrently(count: number, work: () => Promise<unknown>): Promise<void> {
  let left = count
  const worker = async (): Promise<void> => {
    while (left-- > 0) await work()
  }
  await Promise.all(Array.from({ length: workerCount }, worker))
}

async function perSecond(work: EngineAlone): Promise<number> {
  const began = performance.now()
  await work(jobsPerRound)
  return (jobsPerRound * 1000) / (performance.now() - began)
}
