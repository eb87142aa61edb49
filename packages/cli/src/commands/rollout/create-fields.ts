import type { CreateRolloutFields, Wharf } from '@wharf/sdk'
import type { Cli } from '../../cli.ts'
import type { OptionSpecs, OptionsOf } from '../../command.ts'
import { UsageError } from '../../errors.ts'
import { resolveUuid } from '../../names/resolve-record.ts'
import { parseInteger } from '../../option-values.ts'
import { parseTime } from '../../time-options.ts'
import { readConfig } from '../package/read-config.ts'
import { resolveRelease } from '../release/resolve-release.ts'

/** One option for each field of CreateRollout. */
export const rolloutOptions = {
  '--release <release>': { help: 'NAME@VERSION, NAME for the latest, or uuid', names: 'releases', required: true },
  '--hosts <condition>': {
    help: 'roll out to hosts that match, such as labels.role=web; repeatable, all must match (docs/query.md)',
    repeated: true,
  },
  '--host <name>': { help: 'roll out to this host; repeatable', names: 'hosts', repeated: true },
  '--config <json>': {
    help: 'configuration for the installer, with Liquid templates over host; @file reads a file, @- reads stdin',
  },
  '--waves <amounts>': { help: 'cumulative numbers or percentages of the hosts (default: 1,10%,100%)' },
  '--spread-by <label>': { help: 'spread the hosts of each value of this label over the waves' },
  '--promotion <mode>': {
    help: 'start the next wave automatically, or wait for rollout promote (default: automatic)',
    choices: ['automatic', 'manual'],
  },
  '--max-parallel <count>': { help: 'hosts that are worked on at the same time (default: 8)' },
  '--max-failures <amount>': { help: 'failed hosts that a wave may have, a number or percentage (default: 0)' },
  '--on-failure <policy>': {
    help: 'what happens when a wave has too many failures (default: pause)',
    choices: ['pause', 'rollBackWave', 'rollBackAll'],
  },
  '--unreachable <policy>': {
    help: 'a disconnected or disabled host fails, is skipped, or is waited for (default: fail)',
    choices: ['fail', 'skip', 'wait'],
  },
  '--retries <count>': { help: 'tries after a lost connection, a timeout or a lost node (default: 1)' },
  '--target-deadline <seconds>': { help: 'cancel and undo the job of a host after this time (default: 1800)' },
  '--soak <seconds>': { help: 'pause after a wave, then verify its hosts again; 0: neither (default: 60)' },
  '--alert-platform <name>': {
    help: 'an alert of this platform that starts to fire fails the wave; repeatable',
    names: 'alertPlatforms',
    repeated: true,
  },
  '--start-at <time>': { help: 'start at this time, in ISO 8601 (default: now)' },
  '--window <name>': { help: 'maintenance window that it observes', names: 'maintenanceWindows' },
  '--ignore-window': { help: 'work outside the window too; requires the role admin' },
  '--require-approval': { help: 'start after another user has approved it' },
  '--dynamic': { help: 'hosts that match later join; it is open until rollout stop' },
  '--keep-versions <count>': { help: 'versions that are kept on each host (default: 2)' },
} as const satisfies OptionSpecs

export async function rolloutFields(
  cli: Cli,
  wharf: Wharf,
  options: OptionsOf<typeof rolloutOptions>,
): Promise<Omit<CreateRolloutFields, 'name'>> {
  const { hosts: selector, host: hostNames } = options
  if ((selector === undefined) === (hostNames === undefined))
    throw new UsageError(
      'name the hosts either with --hosts or with --host',
      "for all hosts: --hosts 'name is not null'",
    )
  const config = await readConfig(cli, options.config)
  const maxFailures = options.maxFailures === undefined ? undefined : parseAmount('--max-failures', options.maxFailures)
  const waves = options.waves?.split(',').map((amount) => parseAmount('--waves', amount.trim()))
  if (options.startAt !== undefined) parseTime('--start-at', options.startAt)
  const numbers = {
    maxParallel: parseInteger('--max-parallel', options.maxParallel, { min: 1, max: 1000 }),
    targetDeadlineSeconds: parseInteger('--target-deadline', options.targetDeadline, { min: 1 }),
    soakSeconds: parseInteger('--soak', options.soak),
    retries: parseInteger('--retries', options.retries, { max: 10 }),
    keepVersions: parseInteger('--keep-versions', options.keepVersions, { min: 1, max: 10 }),
  }
  const uuids = (kind: 'hosts' | 'alertPlatforms', names: readonly string[]): Promise<string[]> =>
    Promise.all([...new Set(names)].map((name) => resolveUuid(wharf, kind, name)))
  return {
    releaseUuid: (await resolveRelease(wharf, options.release)).uuid,
    selector,
    hostUuids: hostNames && (await uuids('hosts', hostNames)),
    config: config === undefined ? undefined : parseConfig(config),
    waves,
    maxFailures,
    ...numbers,
    spreadBy: options.spreadBy,
    promotion: options.promotion as CreateRolloutFields['promotion'],
    unreachable: options.unreachable as CreateRolloutFields['unreachable'],
    onFailure: options.onFailure as CreateRolloutFields['onFailure'],
    alertPlatformUuids: options.alertPlatform && (await uuids('alertPlatforms', options.alertPlatform)),
    startAt: options.startAt,
    windowUuid: options.window && (await resolveUuid(wharf, 'maintenanceWindows', options.window)),
    ignoreWindow: options.ignoreWindow,
    requiresApproval: options.requireApproval,
    dynamic: options.dynamic,
  }
}

function parseAmount(option: string, text: string): string {
  if (/^\d{1,6}$|^\d{1,3}(\.\d{1,3})?%$/.test(text)) return text
  throw new UsageError(`invalid ${option} ${text}: expected a number such as 5, or a percentage such as 10%`)
}

function parseConfig(text: string): Record<string, unknown> {
  const config: unknown = JSON.parse(text)
  if (typeof config === 'object' && config !== null && !Array.isArray(config)) return config as Record<string, unknown>
  throw new UsageError('--config must be a JSON object')
}
