import type { Database } from '@wharf/database/database.ts'
import { ApiError } from '@wharf/platform/api-error.ts'
import type { Clock } from '@wharf/platform/clock.ts'
import { newUuid } from '@wharf/platform/ids.ts'
import type { Log } from '@wharf/platform/log.ts'
import { SingleFlight } from '@wharf/platform/single-flight.ts'
import { asSystem } from '../../audit/audit-source.ts'
import { LogBuffer } from '../../jobs/log-buffer.ts'
import { asOwner } from '../../jobs/ownership.ts'
import type { JobService } from '../../jobs/service.ts'
import type { HostService } from '../hosts/service.ts'
import { configProblems, manifestOf } from './configuration.ts'
import { expectedFiles } from './hook-files.ts'
import { folderOf, runHook } from './hooks.ts'
import { isUnhealthy } from './jobs/verify.ts'
import { secretsOf } from './kept-configuration.ts'
import type { SoftwarePackageService } from './service.ts'
import type { PackageRow } from './store.ts'
import type { DueVerification, VerificationSchedule } from './verification-schedule.ts'

/** A verification starts programs on both sides, so their number per node is limited. */
const maxConcurrent = 4
/** For a hook without a timeout of its own. */
const maxVerifyMs = 10 * 60_000
const maxTickMs = 15_000

const tooLate = new ApiError('SYS.1001', `the package's verify did not end within ${maxVerifyMs / 60_000} minutes`)

interface Verified {
  readonly health: 'Healthy' | 'Unhealthy'
  /** Why it is Unhealthy. */
  readonly error?: ApiError
}

interface PackageVerificationDeps {
  readonly database: Database
  readonly clock: Clock
  readonly log: Log
  readonly packages: SoftwarePackageService
  readonly hosts: HostService
  readonly jobs: Pick<JobService, 'findActive'>
  readonly schedule: VerificationSchedule
  readonly settings: { readonly verifyIntervalMs: number }
}

/**
 * Verifies every installed package once per interval. The nodes share the packages: a verification is claimed by moving its
 * date in the database. It is not a job, because a list of jobs would consist of little else.
 */
export class PackageVerification {
  readonly #deps: PackageVerificationDeps
  readonly #filling = new SingleFlight()
  readonly #running = new Set<Promise<void>>()
  readonly #stop = new AbortController()

  constructor(deps: PackageVerificationDeps) {
    this.#deps = deps
  }

  /** Starts the periodic rounds, unless the interval is 0. Returns a function that stops them. */
  start(): () => void {
    const { verifyIntervalMs } = this.#deps.settings
    if (verifyIntervalMs === 0) return () => {}
    const timer = setInterval(() => void this.#fill(), Math.min(maxTickMs, Math.max(verifyIntervalMs / 10, 100)))
    return () => {
      clearInterval(timer)
      this.#stop.abort()
    }
  }

  /** Returns when the packages that are due have been verified. */
  async run(): Promise<void> {
    await this.#fill()
    while (this.#running.size > 0) await Promise.all(this.#running)
  }

  /** Starts as many verifications as may run; each starts the next when it ends. */
  #fill(): Promise<void> {
    return this.#filling.run(async () => {
      const { schedule, settings, log } = this.#deps
      try {
        await schedule.spread(settings.verifyIntervalMs, (row) => this.#canVerify(row))
        for (const due of await schedule.listDue()) {
          if (this.#running.size >= maxConcurrent || this.#stop.signal.aborted) return
          if (await this.#claim(due)) this.#start(due.uuid)
        }
      } catch (error) {
        log.warn({ err: error }, 'the packages that are due could not be verified')
      }
    })
  }

  #start(uuid: string): void {
    const task = asSystem('VerifyPackages', () => this.#verifyClaimed(uuid))
      .catch((error: unknown) =>
        this.#deps.log.warn({ err: error, package: uuid }, 'a software package could not be verified'),
      )
      .finally(() => {
        this.#running.delete(task)
        if (!this.#stop.signal.aborted) return this.#fill()
      })
    this.#running.add(task)
  }

  /** A package without a verify hook stays Unknown, as does one whose configuration an older version did not keep. */
  #canVerify(row: PackageRow): boolean {
    if (row.manifest === null || row.hostUuid === null) return false
    const manifest = manifestOf(row)
    const isConfigKnown = row.sealedInstallConfig !== null || configProblems(manifest, {}).length === 0
    return manifest.verify !== undefined && isConfigKnown
  }

  async #claim(due: DueVerification): Promise<boolean> {
    const { hosts, schedule, settings } = this.#deps
    const host = await hosts.find(due.hostUuid ?? '')
    if (host === undefined) return false
    // one on a host that does not answer is verified in the next interval
    return (
      (await schedule.claim(due, settings.verifyIntervalMs)) && host.state === 'Enabled' && host.status === 'Connected'
    )
  }

  async #verifyClaimed(uuid: string): Promise<void> {
    const { packages, jobs } = this.#deps
    const row = await packages.find(uuid)
    if (row === undefined || !isVerifiable(row) || (await jobs.findActive(uuid))) return
    const result = await this.#verify(row)
    if (result !== undefined) await this.#record(row, result)
  }

  /** Undefined when it is not known: the host is lost, or a job on the package has started. */
  async #verify(row: PackageRow): Promise<Verified | undefined> {
    const { packages, hosts } = this.#deps
    const hook = manifestOf(row).verify
    if (hook === undefined) return undefined
    const { config } = packages.configs.open(row) ?? { config: {} }
    const signal = AbortSignal.any([this.#stop.signal, AbortSignal.timeout(maxVerifyMs)])
    const isOver = (): boolean => signal.aborted && !this.#stop.signal.aborted
    // not written; it masks the secrets in what the hook prints
    const lines = new LogBuffer(0, secretsOf(row, config))
    const maskLine = (line: string): string => lines.maskLine(line)
    const context = { jobUuid: newUuid(), signal, log() {}, progress() {}, conceal() {}, maskLine }
    const loseOwnership = () => new ApiError('SYS.1006', `a job has started on software package ${row.name}`)
    const ownership = { jobUuid: context.jobUuid, fence: 0, subjectUuid: row.uuid, requireOwned() {}, loseOwnership }
    try {
      const { driver } = await hosts.usable(row.hostUuid ?? '')
      const input = { config }
      const files = expectedFiles(row, hook.run)
      const run = { driver, hook, name: 'verify', folder: folderOf(row), input, files, subject: row.uuid }
      await asOwner(ownership, () => runHook(context, run))
      return { health: 'Healthy' }
    } catch (error) {
      if (isOver()) return { health: 'Unhealthy', error: tooLate }
      if (isUnhealthy(error, signal))
        return { health: 'Unhealthy', error: new ApiError(error.code, lines.mask(error.message)) }
      if (error instanceof ApiError || signal.aborted) return undefined
      throw error
    }
  }

  /** A result that a job has made obsolete is dropped. */
  async #record(row: PackageRow, { health, error }: Verified): Promise<void> {
    const { database, packages, jobs, log } = this.#deps
    await database.transaction(async (tx) => {
      const now = await packages.find(row.uuid, tx)
      if (now === undefined || now.lastOpDate !== row.lastOpDate || (await jobs.findActive(row.uuid, tx))) return
      await packages.recordHealth(tx, now, health, error)
      if (now.health !== health) log.info({ package: row.uuid, health }, 'the health of a software package has changed')
    })
  }
}

const verifiable: readonly PackageRow['status'][] = ['Installed', 'Initialized', 'InitializeFailed']
const isVerifiable = ({ status, upgradeLock }: PackageRow): boolean =>
  verifiable.includes(status) && upgradeLock === null
