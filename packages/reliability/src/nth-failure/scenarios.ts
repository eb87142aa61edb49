import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { reverseCleanup, testEngine } from '@wharf/testkit'
import { backupScenario } from './backup.ts'
import { FaultFixture } from './fault-fixture.ts'
import { fetchScenario, fetchSites } from './fetch.ts'
import { installScenario } from './install.ts'
import { migrateScenario } from './migrate.ts'
import { backupPostgres, connectSites, migratePostgres } from './postgres.ts'
import { postgresSites } from './postgres-sockets.ts'
import type { Figures, Scenario } from './scenario.ts'
import { sshScenario } from './ssh.ts'
import { uploadScenario, uploadSites } from './upload.ts'

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
  const fixture = await FaultFixture.start(cleanup)
  const scenarios = await (testEngine === 'sqlite' ? onSqlite : onPostgres)({ fixture, folder, form, cleanup })
  const figures = await work(scenarios)
  await fixture.assertSurvivesKill()
  return figures
}

interface Parts {
  readonly fixture: FaultFixture
  readonly folder: string
  readonly form: 'short' | 'long'
  readonly cleanup: Cleanup
}

async function onSqlite({ fixture, folder, form, cleanup }: Parts): Promise<Scenario[]> {
  return [
    uploadScenario(fixture, uploadSites(fixture)),
    fetchScenario(fixture, form === 'long' ? fetchSites : fetchSites.slice(0, 1)),
    await installScenario(fixture, cleanup),
    ...(form === 'long' ? [await sshScenario(fixture, cleanup)] : []),
    await migrateScenario(folder),
    await backupScenario(folder),
  ] as Scenario[]
}

async function onPostgres({ fixture, folder, form, cleanup }: Parts): Promise<Scenario[]> {
  const sites = form === 'long' ? connectSites : connectSites.slice(0, 1)
  return [
    uploadScenario(fixture, postgresSites(fixture)),
    ...(form === 'long' ? [await installScenario(fixture, cleanup, postgresSites(fixture))] : []),
    migratePostgres(cleanup, folder, sites),
    await backupPostgres(cleanup, folder, sites),
  ] as Scenario[]
}
