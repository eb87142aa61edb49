import { inventory } from './operation.ts'
import {
  alertPlatformUuids,
  dynamic,
  keepVersions,
  maxFailures,
  maxParallel,
  maxRolloutTargets,
  maxWaves,
  onFailure,
  promotion,
  retries,
  rollBackScopes,
  ShownAmount,
  soakSeconds,
  spreadByDescription,
  stopModes,
  targetDeadlineSeconds,
  unreachable,
  waves,
} from './rollout-fields.ts'
import { pauseReasons, planActions, rolloutStates, targetPhases, targetStates, waveStates } from './rollout-states.ts'
import { Choice, Flag, Integer, List, Long, Name, orNull, Sealed, Text, Timestamp, Uuid } from './schema.ts'

const since = 'wharf-1.1.0'

export const RolloutInventory = inventory({
  name: 'RolloutInventory',
  since,
  events: ['Rollout'],
  table: 'rollouts',
  scope: { hostsIn: 'rolloutTargets', by: 'rolloutUuid', otherwise: 'user' },
  routine: ['currentWave', 'targetCount', 'succeededCount', 'failedCount', 'skippedCount', 'startDate', 'endDate'],
  fields: {
    uuid: Uuid(),
    name: Name(),
    releaseUuid: Uuid({ description: 'The release that is rolled out' }),
    softwareName: Name({ description: 'The name of the software' }),
    version: Name({ description: 'The version that hosts receive' }),
    state: Choice(rolloutStates, { description: 'The state of the whole rollout' }),
    pauseReason: orNull(Choice(pauseReasons, { description: 'Why it is Paused; null in other states' })),
    pausedUntil: orNull(
      Timestamp({ description: 'When the maintenance window opens, while it is Paused for Window; otherwise null' }),
    ),
    reason: orNull(
      Text(4096, { description: 'What made it pause, fail or roll back, in a sentence; null when nothing did' }),
    ),
    selector: List(Text(2048), {
      maxItems: 32,
      description: 'The conditions that select its hosts; empty with hostUuids',
    }),
    waves: List(Text(16), { maxItems: maxWaves, description: waves }),
    currentWave: orNull(
      Integer(1, maxRolloutTargets, { description: 'The wave that is in progress; null before the first' }),
    ),
    // one that was stored before label names were checked is shown as it is
    spreadBy: orNull(Text(63, { description: spreadByDescription })),
    promotion: promotion(),
    maxParallel: maxParallel(),
    maxFailures: ShownAmount(maxFailures),
    unreachable: unreachable(),
    targetDeadlineSeconds: targetDeadlineSeconds(),
    soakSeconds: soakSeconds(),
    alertPlatformUuids: alertPlatformUuids(),
    retries: retries(),
    onFailure: onFailure(),
    dynamic: dynamic(),
    startAt: orNull(Timestamp({ description: 'When it starts; null: at once' })),
    windowUuid: orNull(Uuid({ description: 'The maintenance window that it observes; null without one' })),
    ignoreWindow: Flag({ description: 'An admin allowed it to work outside its window' }),
    requiresApproval: Flag({ description: 'It starts after another user has approved it' }),
    approvedBy: orNull(Uuid({ description: 'The user who approved or denied it; null before' })),
    keepVersions: keepVersions(),
    stopMode: orNull(
      Choice(stopModes, { description: 'It is being stopped: running hosts finish, or are cancelled; null otherwise' }),
    ),
    targetCount: Long({ description: 'The number of its hosts' }),
    succeededCount: Long({ description: 'Hosts that are Succeeded or AlreadyInstalled' }),
    failedCount: Long({ description: 'Hosts that are Failed, TimedOut, Unreachable or RollbackFailed' }),
    skippedCount: Long({ description: 'Hosts that are Skipped' }),
    accountUuid: Uuid(),
    userUuid: Uuid({ description: 'The user who created it; its jobs are jobs of this user' }),
    startDate: orNull(Timestamp({ description: 'When its first wave started; null before' })),
    endDate: orNull(Timestamp({ description: 'When it ended; null while it is unfinished' })),
    createDate: Timestamp(),
    lastOpDate: Timestamp(),
  },
  private: {
    userName: Name(),
    /** The configuration with its templates, as JSON. */
    sealedConfig: Sealed(),
    /** Of RollingBack: which hosts are restored. */
    rollBackScope: orNull(Choice(rollBackScopes)),
    /** The rollback follows from onFailure, not from a call. */
    isRollBackAutomatic: Flag(),
  },
})

export const RolloutWaveInventory = inventory({
  name: 'RolloutWaveInventory',
  since,
  events: ['RolloutWave'],
  table: 'rolloutWaves',
  scope: { like: 'rolloutUuid', of: 'rollouts' },
  fields: {
    uuid: Uuid(),
    rolloutUuid: Uuid({ description: 'The rollout that it belongs to' }),
    number: Integer(1, maxRolloutTargets, { description: 'Its position, from 1' }),
    size: Long({ description: 'The number of its hosts, which never changes' }),
    state: Choice(waveStates, { description: 'The state of the wave' }),
    succeededCount: Long({ description: 'Hosts that are Succeeded or AlreadyInstalled' }),
    failedCount: Long({ description: 'Hosts that are Failed, TimedOut, Unreachable or RollbackFailed' }),
    skippedCount: Long({ description: 'Hosts that are Skipped' }),
    soakUntil: orNull(Timestamp({ description: 'When its hosts are verified again; null before and without a soak' })),
    startDate: orNull(Timestamp({ description: 'When it started; null before' })),
    endDate: orNull(Timestamp({ description: 'When it ended; null before' })),
    createDate: Timestamp(),
    lastOpDate: Timestamp(),
  },
  private: {
    /** Failures that an operator accepted with resumeRollout. */
    acceptedFailures: Long(),
    /** Alerts before this time do not fail the gate. */
    gateSince: orNull(Timestamp()),
  },
})

export const RolloutTargetInventory = inventory({
  name: 'RolloutTargetInventory',
  since,
  events: ['RolloutTarget'],
  table: 'rolloutTargets',
  scope: { like: 'rolloutUuid', of: 'rollouts' },
  fields: {
    uuid: Uuid(),
    rolloutUuid: Uuid({ description: 'The rollout that it belongs to' }),
    hostUuid: Uuid({ description: 'The host' }),
    hostName: Name({ description: 'The name of the host when it joined the rollout' }),
    wave: Integer(1, maxRolloutTargets, { description: 'The number of its wave' }),
    state: Choice(targetStates, { description: 'The state of the rollout on this host' }),
    action: Choice(planActions, { description: 'What is done with the host' }),
    jobUuid: orNull(Uuid({ description: 'Its last job; null before the first' })),
    attempts: Long({ description: 'How often it was tried' }),
    error: orNull(Text(4096, { description: 'The code and text of its last failure; null without one' })),
    fromVersion: orNull(Name({ description: 'The version that was installed before; null when none was' })),
    toVersion: Name({ description: 'The version that it receives' }),
    packageUuid: orNull(Uuid({ description: 'The software package of the new version on this host; null before' })),
    previousPackageUuid: orNull(
      Uuid({ description: 'The software package that was installed before; null when none was' }),
    ),
    startDate: orNull(Timestamp({ description: 'When its first attempt started; null before' })),
    endDate: orNull(Timestamp({ description: 'When it ended; null before' })),
    createDate: Timestamp(),
    lastOpDate: Timestamp(),
  },
  private: {
    softwareName: Name(),
    /** The position within the rollout. */
    sequence: Long(),
    /** 1 while the rollout is unfinished: a host has one such target for each software name. */
    isOpen: Flag(),
    /** The rendered configuration; null: that of the rollout, which has no templates. */
    sealedConfig: orNull(Sealed()),
    /** What the host had before, with its configuration; null when it had nothing, or before the first attempt. */
    sealedPrevious: orNull(Sealed()),
    /** Bytes to send, as planned. */
    bytes: Long(),
    /** The maintenance window applies to this host. */
    isWindowBound: Flag(),
    /** The host has, or may have, what this rollout installed. */
    isChanged: Flag(),
    /** What its last job does: install the release, verify it again after the soak, or restore what was before. */
    phase: Choice(targetPhases),
    /** It was verified again after the soak. */
    isVerified: Flag(),
    /** Waiting: when it is tried again; null when its job is queued. */
    retryDate: orNull(Timestamp()),
    /** Waiting for an unreachable host: since when. */
    waitingSince: orNull(Timestamp()),
  },
})

export const RolloutPlanEntry = inventory({
  name: 'RolloutPlanEntry',
  since,
  events: [],
  fields: {
    hostUuid: Uuid({ description: 'The host' }),
    hostName: Name({ description: 'The name of the host' }),
    wave: Integer(1, maxRolloutTargets, { description: 'The number of its wave' }),
    action: Choice(planActions, { description: 'What is done with the host' }),
    fromVersion: orNull(Name({ description: 'The version that is installed; null when none is' })),
    toVersion: Name({ description: 'The version that it receives' }),
    bytes: Long({ description: 'Bytes to send; 0 when the host has the archive' }),
    obstacle: orNull(Text(4096, { description: 'What blocks the host; null when nothing does' })),
  },
})
