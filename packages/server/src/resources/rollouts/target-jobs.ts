import type { TargetPhase } from '@wharf/contract'
import type { Tx } from '@wharf/database/database.ts'
import { ApiError } from '@wharf/platform/api-error.ts'
import type { JobDefinition } from '../../jobs/definition.ts'
import type { JobService } from '../../jobs/service.ts'
import type { HostRow } from '../hosts/service.ts'
import type { PackageRow } from '../software-packages/service.ts'
import { type InstallInput, installReleaseJob } from './jobs/install-release.ts'
import { type RemoveInput, removeReleaseJob } from './jobs/remove-release.ts'
import { type RestoreInput, restoreReleaseJob } from './jobs/restore-release.ts'
import type { TargetJobDeps } from './jobs/target-job-deps.ts'
import { type VerifyInput, verifyReleaseJob } from './jobs/verify-release.ts'
import type { SealedConfigs } from './sealed-config.ts'
import type { RolloutRow, TargetRow } from './store.ts'
import type { TargetInput } from './target-end.ts'

interface TargetJobsDeps extends TargetJobDeps {
  readonly jobs: JobService
  readonly configs: SealedConfigs
}

interface JobRecords {
  readonly subjectUuid: string
  /** The version that is installed, when the subject is the one that it replaces. */
  readonly relatedUuid?: string
}

/** A rollback must not take longer than an installation may. */
const restoreTimeoutSeconds = 2 * 60 * 60

/** Starts the job of a target in the transaction that changes the target. */
export class TargetJobs {
  readonly #deps: TargetJobsDeps
  readonly #install
  readonly #verify
  readonly #restore
  readonly #remove

  constructor(deps: TargetJobsDeps) {
    this.#deps = deps
    this.#install = installReleaseJob(deps)
    this.#verify = verifyReleaseJob(deps)
    this.#restore = restoreReleaseJob(deps)
    this.#remove = removeReleaseJob(deps)
  }

  /** Registered with the runner when the server starts. */
  get definitions(): JobDefinition[] {
    return [this.#install, this.#verify, this.#restore, this.#remove] as unknown as JobDefinition[]
  }

  /** What changes in the target's row; throws what prevents the job. */
  async start(tx: Tx, rollout: RolloutRow, target: TargetRow, phase: TargetPhase): Promise<Partial<TargetRow>> {
    const host = await this.#deps.hosts.get(target.hostUuid, tx)
    if (phase === 'Verify') return this.#startVerify(tx, rollout, target, host)
    return phase === 'Install'
      ? this.#startInstall(tx, rollout, target, host)
      : this.#startRestore(tx, rollout, target, host)
  }

  async #startInstall(tx: Tx, rollout: RolloutRow, target: TargetRow, host: HostRow): Promise<Partial<TargetRow>> {
    const { upgrades, configs, releases, clock } = this.#deps
    const release = await releases.get(rollout.releaseUuid, tx)
    const current = await upgrades.findCurrent(tx, host.uuid, release.name)
    const config = configs.open(rollout, target)
    if (current && upgrades.hasBytes(current, release)) {
      if (target.isChanged === 1) return this.#startVerify(tx, rollout, target, host)
      const isSame = target.action === 'None' || upgrades.hasConfig(current, config)
      const found = { packageUuid: current.uuid, previousPackageUuid: current.uuid, fromVersion: current.version }
      if (isSame)
        return { ...found, state: 'AlreadyInstalled', action: 'None', bytes: 0, error: null, endDate: clock.now() }
    }
    const { keepVersions, targetDeadlineSeconds } = rollout
    const prepared = await upgrades.prepare(tx, { from: current, host, release, config, keepVersions })
    const input: InstallInput = { ...prepared.input, ...inputOf(target) }
    const { jobUuid } = await this.#enqueue(
      tx,
      this.#install,
      { rollout, host, input, timeoutSeconds: targetDeadlineSeconds },
      {
        subjectUuid: current?.uuid ?? input.packageUuid,
        relatedUuid: input.packageUuid,
        managementNodeUuid: prepared.managementNodeUuid,
      },
    )
    return {
      state: 'Waiting',
      jobUuid,
      packageUuid: input.packageUuid,
      previousPackageUuid: current?.uuid ?? null,
      sealedPrevious: current ? configs.sealPrevious(target.uuid, upgrades.describe(current)) : null,
      fromVersion: current?.version ?? null,
      bytes: input.origin === null ? 0 : release.size,
      isVerified: 0,
    }
  }

  async #startVerify(tx: Tx, rollout: RolloutRow, target: TargetRow, host: HostRow): Promise<Partial<TargetRow>> {
    const packageUuid = target.packageUuid ?? ''
    const input: VerifyInput = { packageUuid, ...inputOf(target) }
    const timeoutSeconds = rollout.targetDeadlineSeconds
    const { jobUuid } = await this.#enqueue(
      tx,
      this.#verify,
      { rollout, host, input, timeoutSeconds },
      {
        subjectUuid: packageUuid,
        managementNodeUuid: host.managementNodeUuid,
      },
    )
    return { state: 'Verifying', phase: 'Verify', jobUuid }
  }

  /** To the digest and configuration that the host had, or to nothing. */
  async #startRestore(tx: Tx, rollout: RolloutRow, target: TargetRow, host: HostRow): Promise<Partial<TargetRow>> {
    const { packages, upgrades, configs, clock } = this.#deps
    const own = target.packageUuid === null ? undefined : await packages.find(target.packageUuid, tx)
    const current = await upgrades.findCurrent(tx, host.uuid, rollout.softwareName)
    const restored: Partial<TargetRow> = { state: 'RolledBack', isChanged: 0, error: null, endDate: clock.now() }
    if (current && current.uuid !== own?.uuid) {
      if (current.uuid === target.previousPackageUuid) return restored
      throw changedSince(host, current, rollout)
    }
    if (target.previousPackageUuid === null) {
      if (own === undefined) return restored
      // an archive that was on the host before stays there
      const input: RemoveInput = { packageUuid: own.uuid, isKept: target.bytes === 0, ...inputOf(target) }
      const { managementNodeUuid } = host
      const work = { rollout, host, input }
      return this.#startedRestore(tx, this.#remove, work, { subjectUuid: own.uuid, managementNodeUuid })
    }
    const prepared = await upgrades.prepareRestore(tx, {
      own,
      host,
      softwareName: rollout.softwareName,
      previousUuid: target.previousPackageUuid,
      previous: configs.openPrevious(target),
    })
    const input: RestoreInput = { ...prepared.input, ...inputOf(target) }
    const { managementNodeUuid } = prepared
    const records = { subjectUuid: own?.uuid ?? input.packageUuid, relatedUuid: input.packageUuid, managementNodeUuid }
    return this.#startedRestore(tx, this.#restore, { rollout, host, input }, records)
  }

  async #startedRestore<Input, Results>(
    tx: Tx,
    definition: JobDefinition<Input, Results>,
    work: { rollout: RolloutRow; host: HostRow; input: Input },
    records: JobRecords & { readonly managementNodeUuid: string | null },
  ): Promise<Partial<TargetRow>> {
    const job = { ...work, timeoutSeconds: restoreTimeoutSeconds }
    const { jobUuid } = await this.#enqueue(tx, definition, job, records)
    return { state: 'Waiting', jobUuid }
  }

  async #enqueue<Input, Results>(
    tx: Tx,
    definition: JobDefinition<Input, Results>,
    {
      rollout,
      host,
      input,
      timeoutSeconds,
    }: { rollout: RolloutRow; host: HostRow; input: Input; timeoutSeconds: number },
    { subjectUuid, relatedUuid, managementNodeUuid }: JobRecords & { managementNodeUuid: string | null },
  ): Promise<{ jobUuid: string }> {
    const { accountUuid, userUuid, userName, version } = rollout
    const { name } = await this.#deps.packages.get(subjectUuid, tx)
    return this.#deps.jobs.enqueue(tx, definition, {
      request: { caller: { accountUuid, userUuid, userName }, timeoutSeconds },
      subject: { uuid: subjectUuid, name, version },
      relatedUuid: relatedUuid === subjectUuid ? undefined : relatedUuid,
      host,
      input,
      managementNodeUuid,
      isFollowUp: true,
    })
  }
}

const inputOf = ({ uuid, rolloutUuid }: TargetRow): TargetInput => ({ targetUuid: uuid, rolloutUuid })

const changedSince = ({ name }: HostRow, current: PackageRow, rollout: RolloutRow): ApiError =>
  new ApiError(
    'SYS.1006',
    `host ${name} has ${current.softwareName} ${current.version} now, which rollout ${rollout.name} did not install; what it had before is not restored`,
  )
