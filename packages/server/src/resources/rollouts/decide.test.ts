import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ErrorCode, failedTargetStates, isActiveRollout, type TargetState } from '@wharf/contract'
import { ApiError } from '@wharf/platform/api-error.ts'
import fc from 'fast-check'
import {
  type Counts,
  countOf,
  type Decision,
  decide,
  type RolloutView,
  type TargetView,
  type WaveView,
} from './decide.ts'
import * as operator from './operator-changes.ts'
import { settleFailure } from './settle-failure.ts'
import { allowedFailures, waveSizes } from './wave-sizes.ts'

type Mutable<T> = { -readonly [K in keyof T]: T[K] }

interface ModelTarget extends Mutable<TargetView> {
  sequence: number
  isChanged: boolean
  isVerified: boolean
  /** What the host has: the new version or not. The rollout must never touch it outside of a started job. */
  hasRelease: boolean
  wasStarted: boolean
  hasJob: boolean
}

interface ModelRollout extends Mutable<RolloutView> {
  name: string
  startDate: number | null
  currentWave: number | null
}

const busyStates: readonly TargetState[] = ['Waiting', 'Transferring', 'Installing', 'Verifying']
const failedStates: readonly TargetState[] = failedTargetStates

/** The fields of a scenario that fast-check chooses. */
interface Settings {
  readonly hosts: number
  readonly waves: readonly string[]
  readonly rollout: Pick<
    RolloutView,
    'promotion' | 'maxParallel' | 'maxFailures' | 'unreachable' | 'soakSeconds' | 'retries' | 'onFailure'
  > & { hasWindow: boolean; startsLater: boolean }
  readonly steps: readonly Step[]
}

type Step =
  | { readonly kind: 'endJob'; readonly pick: number; readonly result: 'succeeded' | ErrorCode | 'undoFailed' }
  | { readonly kind: 'advance'; readonly seconds: number }
  | { readonly kind: 'reach'; readonly pick: number; readonly isReachable: boolean }
  | { readonly kind: 'reachAll'; readonly isReachable: boolean }
  | { readonly kind: 'alert' }
  | { readonly kind: 'kill' }
  | {
      readonly kind: 'operator'
      readonly action: 'pause' | 'resume' | 'promote' | 'retry' | 'stop' | 'cancel' | 'rollBackWave' | 'rollBackAll'
    }

/** The rollout as the database and the hosts would have it; every rule is checked after every change. */
class Model {
  now = 1000
  readonly rollout: ModelRollout
  readonly waves: Mutable<WaveView>[]
  readonly targets: ModelTarget[]
  readonly #settings: Settings
  #alertAt: number | undefined
  #gateSince = 0
  #resumed = false

  constructor(settings: Settings) {
    this.#settings = settings
    const { hosts, waves, rollout } = settings
    const sizes = waveSizes(waves, hosts)
    this.rollout = {
      ...rollout,
      state: rollout.startsLater ? 'Scheduled' : 'Running',
      startAt: rollout.startsLater ? 100_000 : null,
      pauseReason: null,
      targetDeadlineSeconds: 100,
      dynamic: 0,
      stopMode: null,
      rollBackScope: null,
      name: 'model',
      startDate: null,
      currentWave: null,
    }
    this.waves = sizes.map((size, index) => ({
      number: index + 1,
      size,
      state: 'Pending',
      soakUntil: null,
      acceptedFailures: 0,
    }))
    let sequence = 0
    this.targets = sizes.flatMap((size, index) =>
      [...Array(size)].map(
        (): ModelTarget => ({
          uuid: String(sequence),
          wave: index + 1,
          sequence: sequence++,
          state: 'Pending',
          phase: 'Install',
          attempts: 0,
          retryDate: null,
          waitingSince: null,
          isWindowBound: rollout.hasWindow && sequence % 3 !== 0 ? 1 : 0,
          unreachable: undefined,
          isChanged: false,
          isVerified: false,
          hasRelease: false,
          wasStarted: false,
          hasJob: false,
        }),
      ),
    )
  }

  get isEnded(): boolean {
    return !isActiveRollout(this.rollout.state)
  }

  get isWindowOpen(): boolean {
    return Math.floor(this.now / 60_000) % 2 === 0
  }

  get busy(): ModelTarget[] {
    return this.targets.filter(({ state }) => busyStates.includes(state))
  }

  counts(): Map<number, Counts> {
    const counts = new Map<number, Partial<Record<TargetState, number>>>()
    for (const { wave, state } of this.targets) {
      const ofWave = counts.get(wave) ?? {}
      ofWave[state] = (ofWave[state] ?? 0) + 1
      counts.set(wave, ofWave)
    }
    return counts
  }

  decide(): Decision[] {
    const { rollout } = this
    const settled = (target: ModelTarget) => ['Succeeded', 'AlreadyInstalled'].includes(target.state)
    return decide({
      now: this.now,
      rollout,
      waves: this.waves,
      counts: this.counts(),
      busy: this.busy,
      pending: (wave) => this.targets.filter((target) => target.state === 'Pending' && target.wave <= wave),
      unverified: (wave) =>
        this.targets.filter((target) => target.wave === wave && settled(target) && !target.isVerified),
      changed: this.targets.filter(
        (target) =>
          target.isChanged &&
          target.phase !== 'Restore' &&
          !busyStates.includes(target.state) &&
          (rollout.rollBackScope !== 'wave' || target.wave === rollout.currentWave),
      ),
      window: this.#settings.rollout.hasWindow ? { isOpen: this.isWindowOpen, opensAt: this.now + 60_000 } : undefined,
      alert: this.#alertAt !== undefined && this.#alertAt > this.#gateSince ? 'an alert fires' : undefined,
    })
  }

  /** As the coordinator does: until nothing is left to do. */
  settle(): void {
    for (let round = 0; ; round++) {
      assert.ok(round < 500, 'the decisions do not end')
      const decisions = this.decide()
      if (decisions.length === 0) return
      for (const decision of decisions) this.apply(decision)
      this.check()
    }
  }

  apply(decision: Decision): void {
    switch (decision.kind) {
      case 'startTarget':
        this.start(decision.target as ModelTarget, decision.phase)
        return
      case 'postponeTarget': {
        const target = decision.target as ModelTarget
        const attempts = target.phase === decision.phase ? target.attempts : 0
        Object.assign(target, {
          state: 'Waiting',
          phase: decision.phase,
          attempts: attempts + Number(decision.isAttempt),
          retryDate: decision.retryDate,
          waitingSince: decision.waitingSince,
        })
        return
      }
      case 'endTarget':
        Object.assign(decision.target, {
          state: decision.state,
          phase: decision.phase,
          retryDate: null,
          waitingSince: null,
        })
        return
      case 'cancelTarget':
        Object.assign(decision.target, { isCancelled: true })
        return
      case 'skipPending':
        for (const target of this.targets) if (target.state === 'Pending') target.state = 'Skipped'
        return
      case 'changeWave': {
        const wave = this.waves[decision.number - 1] as Mutable<WaveView>
        if (decision.state === 'Running' && wave.state === 'Pending') {
          this.rollout.currentWave = wave.number
          this.rollout.startDate ??= this.now
          this.#gateSince = this.now
        }
        wave.state = decision.state
        if (decision.soakUntil !== undefined) wave.soakUntil = decision.soakUntil
        return
      }
      case 'changeRollout':
        assert.ok(!this.isEnded, 'an ended rollout changes')
        this.rollout.state = decision.state
        this.rollout.pauseReason = decision.pauseReason ?? null
        if (decision.rollBackScope) this.rollout.rollBackScope = decision.rollBackScope
        if (this.isEnded) this.rollout.stopMode = null
    }
  }

  start(target: ModelTarget, phase: TargetView['phase']): void {
    const { rollout } = this
    assert.equal(target.unreachable, undefined, 'a job starts on a host that is not reachable')
    assert.ok(!target.hasJob, 'a host has two jobs')
    if (phase === 'Install') {
      assert.equal(rollout.state, 'Running', `a host is started while the rollout is ${rollout.state}`)
      assert.ok(target.isWindowBound === 0 || this.isWindowOpen, 'a host is started outside the window')
      for (const wave of this.waves.slice(0, target.wave - 1))
        assert.ok(['Succeeded', 'Failed'].includes(wave.state), 'a wave starts before the one before it has passed')
    }
    if (phase === 'Restore') assert.ok(target.isChanged, 'a host is restored that the rollout did not change')
    const attempts = target.phase === phase ? target.attempts : 0
    Object.assign(target, {
      state: phase === 'Verify' ? 'Verifying' : 'Installing',
      phase,
      attempts: attempts + 1,
      retryDate: null,
      waitingSince: null,
      hasJob: true,
      wasStarted: true,
      isCancelled: false,
    })
  }

  endJob(target: ModelTarget, result: 'succeeded' | ErrorCode | 'undoFailed'): void {
    target.hasJob = false
    const cancelled = target.isCancelled ? 'SYS.1017' : result
    if (cancelled === 'succeeded') {
      if (target.phase === 'Install') Object.assign(target, { state: 'Succeeded', isChanged: true, hasRelease: true })
      if (target.phase === 'Verify') Object.assign(target, { state: 'Succeeded', isVerified: true })
      if (target.phase === 'Restore')
        Object.assign(target, { state: 'RolledBack', isChanged: false, hasRelease: false })
      return
    }
    const { rollout } = this
    const isUndoFailed = cancelled === 'undoFailed'
    const settled = settleFailure({
      phase: target.phase,
      code: isUndoFailed ? 'SoftwarePackage.1300' : cancelled,
      isUndoFailed,
      attempts: target.attempts,
      retries: rollout.retries,
      isStopCancelled: rollout.stopMode === 'cancel',
      isContinued: rollout.stopMode === null && (rollout.state !== 'RollingBack' || target.phase === 'Restore'),
      now: this.now,
    })
    Object.assign(target, settled)
    if (target.phase === 'Install' && isUndoFailed) target.isChanged = true
  }

  step(step: Step): void {
    const running = this.targets.filter(({ hasJob }) => hasJob)
    switch (step.kind) {
      case 'endJob': {
        const target = running[step.pick % Math.max(1, running.length)]
        if (target) this.endJob(target, step.result)
        return
      }
      case 'advance':
        this.now += step.seconds * 1000
        return
      case 'reach': {
        const target = this.targets[step.pick % Math.max(1, this.targets.length)]
        if (target) target.unreachable = step.isReachable ? undefined : 'the host is Disconnected'
        return
      }
      case 'reachAll':
        for (const target of this.targets)
          target.unreachable = step.isReachable ? undefined : 'the host is Disconnected'
        return
      case 'alert':
        this.#alertAt = this.now
        return
      case 'kill':
        // nothing of the coordinator is in memory, and a job continues on its next owner
        return
      case 'operator':
        try {
          this.operate(step.action)
        } catch (error) {
          assert.ok(error instanceof ApiError && error.code === 'SYS.1005', String(error))
        }
    }
  }

  operate(action: Extract<Step, { kind: 'operator' }>['action']): void {
    const { rollout, now } = this
    const wave = this.waves[(rollout.currentWave ?? 0) - 1]
    const counts = this.counts().get(rollout.currentWave ?? 0) ?? {}
    const change = (() => {
      switch (action) {
        case 'pause':
          return operator.pause(rollout, 'admin')
        case 'resume': {
          this.#resumed = true
          const failures = countOf(counts, failedStates)
          return operator.resume(rollout, wave, { now, failures, ignoresWindow: false })
        }
        case 'promote':
          return operator.promote(rollout, wave, counts, now)
        case 'retry': {
          const retried = operator.retry(rollout, wave, now)
          for (const target of this.targets)
            if (failedStates.includes(target.state))
              Object.assign(target, { state: 'Pending', phase: 'Install', attempts: 0, isVerified: false })
          this.#resumed = true
          return retried
        }
        case 'stop':
        case 'cancel':
          operator.requireAction(rollout, 'stop')
          rollout.stopMode = action === 'stop' ? (rollout.stopMode ?? 'finish') : 'cancel'
          return { rollout: {} }
        default:
          operator.requireAction(rollout, 'roll back')
          rollout.rollBackScope = action === 'rollBackWave' ? 'wave' : 'all'
          for (const target of this.targets) if (target.state === 'RollbackFailed') target.phase = 'Install'
          return { rollout: { state: 'RollingBack' as const, pauseReason: null } }
      }
    })()
    Object.assign(rollout, change.rollout)
    if (change.wave) {
      const { gateSince, ...columns } = change.wave
      Object.assign(this.waves[columns.number - 1] as WaveView, columns)
      if (gateSince !== undefined) this.#gateSince = gateSince
    }
  }

  check(): void {
    const { rollout, waves } = this
    const running = waves.filter(({ state }) => ['Running', 'Soaking', 'AwaitingPromotion'].includes(state))
    assert.ok(running.length <= 1, 'two waves at once')
    const jobs = this.targets.filter(({ hasJob }) => hasJob)
    assert.ok(jobs.length <= rollout.maxParallel, 'more jobs than maxParallel')
    const counts = this.counts()
    if (!this.#resumed)
      for (const { number, size } of waves) {
        // hosts whose last attempt failed and that wait for the next count too: the release may be what fails
        const failed = this.targets.filter(
          ({ wave, state, phase, attempts, waitingSince }) =>
            wave === number &&
            ((failedStates.includes(state) && state !== 'RollbackFailed') ||
              (state === 'Waiting' && phase === 'Install' && attempts > 0 && waitingSince === null)),
        ).length
        assert.ok(
          failed <= allowedFailures(rollout.maxFailures, size) + rollout.maxParallel,
          `${failed} failures in wave ${number}`,
        )
      }
    if (rollout.pauseReason !== null) assert.equal(rollout.state, 'Paused')
    if (!this.isEnded) return
    assert.deepEqual(this.busy, [], 'an ended rollout has busy targets')
    for (const { state } of this.targets)
      assert.notEqual(state, 'Pending', `a target is Pending after ${rollout.state}`)
    for (const { state } of waves)
      assert.ok(['Succeeded', 'Failed', 'Skipped', 'RolledBack'].includes(state), `a wave is ${state} at the end`)
    if (rollout.state === 'Succeeded')
      for (const { number, size } of waves)
        assert.ok(countOf(counts.get(number), failedStates) <= allowedFailures(rollout.maxFailures, size))
    if (rollout.state === 'RolledBack')
      for (const target of this.targets)
        if (rollout.rollBackScope === 'all') assert.ok(!target.isChanged, 'a changed host was not restored')
  }

  /** Hosts come back, jobs succeed, and an operator answers every pause: a rollout must end. */
  finish(): void {
    for (let round = 0; !this.isEnded; round++) {
      assert.ok(round < 2000, `the rollout does not end: ${rollout(this)}`)
      this.settle()
      if (this.isEnded) return
      for (const target of this.targets) target.unreachable = undefined
      for (const target of this.targets.filter(({ hasJob }) => hasJob)) this.endJob(target, 'succeeded')
      if (this.rollout.state === 'Paused' && this.rollout.stopMode === null)
        this.step({ kind: 'operator', action: this.rollout.pauseReason === 'Promotion' ? 'promote' : 'resume' })
      this.now += 31_000
      this.settle()
    }
  }
}

const rollout = ({ rollout, waves, targets }: Model): string =>
  JSON.stringify({ rollout, waves, states: targets.map(({ state, phase }) => `${state} ${phase}`) })

const results: readonly ('succeeded' | ErrorCode | 'undoFailed')[] = [
  'succeeded',
  'SoftwarePackage.1300',
  'HOST.1003',
  'SYS.1001',
  'SYS.1012',
  'undoFailed',
]
const pick = fc.nat(1000)
const stepKinds: fc.Arbitrary<Step>[] = [
  fc.record({ kind: fc.constant('endJob'), pick, result: fc.constantFrom(...results) }),
  fc.record({ kind: fc.constant('endJob'), pick, result: fc.constant('succeeded') }),
  fc.record({ kind: fc.constant('endJob'), pick, result: fc.constant('succeeded') }),
  fc.record({ kind: fc.constant('advance'), seconds: fc.constantFrom(1, 31, 61, 200) }),
  fc.record({ kind: fc.constant('reach'), pick, isReachable: fc.boolean() }),
  fc.record({ kind: fc.constant('reachAll'), isReachable: fc.boolean() }),
  fc.constant({ kind: 'alert' }),
  fc.constant({ kind: 'kill' }),
  fc.record({
    kind: fc.constant('operator'),
    action: fc.constantFrom('pause', 'resume', 'promote', 'retry', 'stop', 'cancel', 'rollBackWave', 'rollBackAll'),
  }),
]

const settings: fc.Arbitrary<Settings> = fc.record({
  hosts: fc.nat(12),
  waves: fc.constantFrom(['1', '10%', '100%'], ['100%'], ['1', '1', '50%', '100%'], ['3', '25%', '8', '100%']),
  rollout: fc.record({
    promotion: fc.constantFrom('automatic', 'manual'),
    maxParallel: fc.integer({ min: 1, max: 4 }),
    maxFailures: fc.constantFrom('0', '1', '30%', '100%'),
    unreachable: fc.constantFrom('fail', 'skip', 'wait'),
    soakSeconds: fc.constantFrom(0, 60),
    retries: fc.nat(2),
    onFailure: fc.constantFrom('pause', 'rollBackWave', 'rollBackAll'),
    hasWindow: fc.boolean(),
    startsLater: fc.boolean(),
  }),
  steps: fc.array(fc.oneof(...stepKinds), { maxLength: 120 }),
})

test('whatever happens, the rules hold and the rollout ends', () => {
  const ends = new Set<string>()
  fc.assert(
    fc.property(settings, (given) => {
      const model = new Model(given)
      model.settle()
      for (const step of given.steps) {
        model.step(step)
        model.settle()
      }
      model.finish()
      model.check()
      ends.add(model.rollout.state)
    }),
    { numRuns: Number(process.env.TEST_RUNS ?? 2000) },
  )
  // the scenarios reach every end but those that need no decision
  for (const end of ['Succeeded', 'Failed', 'Stopped', 'RolledBack', 'RollbackFailed']) assert.ok(ends.has(end), end)
})
