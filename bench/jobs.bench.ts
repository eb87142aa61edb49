import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { operation } from '@wharf/contract'
import { startApp } from '@wharf/server/app.ts'
import { readSettings } from '@wharf/server/config.ts'
import { job, step } from '@wharf/server/jobs/definition.ts'
import { makeLog } from '@wharf/server/platform/log.ts'
import { startPostgres } from '@wharf/testkit'
import { type Figure, reach } from './measure.ts'

const jobsPerRound = 2000
/** Callers at a time. */
const lanes = 100

const nothing = operation({
  name: 'DoNothing',
  resource: 'bench',
  method: 'POST',
  path: '/v1/nothing',
  structure: 'params',
  summary: 'A job with one empty step',
  since: 'wharf-1.0.0',
  permission: 'operate',
  mode: 'job',
  fields: {},
  answer: {},
})
const emptyJob = job(nothing, [step('nothing', async () => {})], async () => ({}))

/** Jobs with one empty step: queued, run and finished, each durably, per second on the clock. */
export async function jobs(rounds: number): Promise<Figure[]> {
  const postgres = await startPostgres({ fsync: true })
  try {
    return [
      await onEngine('SQLite', 1000, rounds, {}),
      await onEngine('PostgreSQL', 300, rounds, {
        WHARF_DATABASE_URL: await postgres.createDatabase(),
        WHARF_MASTER_KEY: randomBytes(32).toString('hex'),
      }),
    ]
  } finally {
    await postgres.stop()
  }
}

async function onEngine(engine: string, aim: number, rounds: number, more: Record<string, string>): Promise<Figure> {
  const folder = mkdtempSync(join(tmpdir(), 'wharf-bench-'))
  const settings = readSettings(
    { WHARF_DATA: folder, WHARF_PORT: '0', WHARF_DISCOVERY: 'none', ...more },
    { root: folder },
  )
  const app = await startApp({ settings, log: makeLog('silent') })
  const { database, jobs } = app.foundation
  jobs.runner.register(emptyJob)
  const caller = { accountUuid: '0'.repeat(32), userUuid: '0'.repeat(32) }
  const round = async (): Promise<number> => {
    const began = performance.now()
    let left = jobsPerRound
    const lane = async (): Promise<void> => {
      while (left-- > 0) {
        const { jobUuid } = await database.transaction((tx) =>
          jobs.enqueue(tx, emptyJob, { request: { caller }, subjectUuid: null, input: {} }),
        )
        const row = await jobs.wait(jobUuid, 60_000)
        if (row.state !== 'Succeeded') throw new Error(`a job ended as ${row.state}`)
      }
    }
    await Promise.all(Array.from({ length: lanes }, lane))
    return (jobsPerRound * 1000) / (performance.now() - began)
  }
  try {
    await round()
    return await reach({ name: `empty jobs on ${engine}`, unit: 'jobs/s', aim }, rounds, round)
  } finally {
    await app.close()
    rmSync(folder, { recursive: true })
  }
}
