import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { reverseCleanup, testEngine } from '@wharf/testkit'
import { backupScenario } from './backup.ts'
import { fetchScenario, fetchSites } from './fetch.ts'
import { installScenario } from './install.ts'
import { migrateScenario } from './migrate.ts'
import { backupPostgres, connectSites, migratePostgres } from './postgres.ts'
import { postgresSites } from './postgres-sockets.ts'
import type { Figures, Scenario } from './scenario.ts'
import { sshScenario } from './ssh.ts'
import { uploadScenario, uploadSites } from './upload.ts'
import { FailingWorld } from './world.ts'

interface Cleanup {
  after(work: () => Promise<void>): void
}

/** With SQLite its files are what fails; with PostgreSQL the connections to it. */
export async function withScenarios(
  t: Cleanup,
  form: 'short' | 'long',
  work: (scenarios: readonly Scenario[]) => Promise<Figures>,
): Promise<Figures> {
  const cleanup = reverseCleanup(t)
  const folder = mkdtempSync(join(tmpdir(), 'wharf-nth-'))
  cleanup.after(async () => rmSync(folder, { recursive: true, force: true }))
  const world = await FailingWorld.start(cleanup)
  const scenarios = await (testEngine === 'sqlite' ? onSqlite : onPostgres)({ world, folder, form, cleanup })
  const figures = await work(scenarios)
  await world.survives()
  return figures
}

interface Parts {
  readonly world: FailingWorld
  readonly folder: string
  readonly form: 'short' | 'long'
  readonly cleanup: Cleanup
}

async function onSqlite({ world, folder, form, cleanup }: Parts): Promise<Scenario[]> {
  return [
    uploadScenario(world, uploadSites(world)),
    fetchScenario(world, form === 'long' ? fetchSites : fetchSites.slice(0, 1)),
    await installScenario(world, cleanup),
    ...(form === 'long' ? [await sshScenario(world, cleanup)] : []),
    await migrateScenario(folder),
    await backupScenario(folder),
  ] as Scenario[]
}

async function onPostgres({ world, folder, form, cleanup }: Parts): Promise<Scenario[]> {
  const sites = form === 'long' ? connectSites : connectSites.slice(0, 1)
  return [
    uploadScenario(world, postgresSites(world)),
    ...(form === 'long' ? [await installScenario(world, cleanup, postgresSites(world))] : []),
    migratePostgres(cleanup, folder, sites),
    await backupPostgres(cleanup, folder, sites),
  ] as Scenario[]
}
