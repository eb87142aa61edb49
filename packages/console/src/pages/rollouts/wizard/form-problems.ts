import { maxWaves } from '@wharf/contract'
import type { TimeZoneChoice } from '../../../i18n/time-zone.ts'
import { type RolloutForm, selectorOf, startOf, wavesIn } from './rollout-form.ts'

export type ProblemKind =
  | 'required'
  | 'noHosts'
  | 'waves'
  | 'amount'
  | 'parallel'
  | 'deadline'
  | 'soak'
  | 'retries'
  | 'versions'
  | 'time'
  | 'past'
  | 'json'

export type FormProblems = Partial<Record<keyof RolloutForm, ProblemKind>>

const secondsPerWeek = 7 * 86_400

const isInteger = (text: string, least: number, most: number): boolean =>
  /^\d+$/.test(text.trim()) && Number(text) >= least && Number(text) <= most

/** A number, or a percentage of at most 100. */
const isAmount = (text: string): boolean =>
  /^\d{1,6}$/.test(text) || (/^\d{1,3}(\.\d{1,3})?%$/.test(text) && Number(text.slice(0, -1)) <= 100)

type Found = { [field in keyof RolloutForm]?: ProblemKind | undefined }

const known = (problems: Found): FormProblems =>
  Object.fromEntries(Object.entries(problems).filter(([, problem]) => problem !== undefined))

/** What is missing on the first step. */
export function targetProblems(form: RolloutForm): FormProblems {
  const hasHosts = form.hostChoice === 'hosts' ? form.hostUuids.length > 0 : selectorOf(form) !== undefined
  return known({
    name: form.name.trim() === '' ? 'required' : undefined,
    releaseUuid: form.releaseUuid === '' ? 'required' : undefined,
    hostChoice: hasHosts ? undefined : 'noHosts',
  })
}

/** What the second step has wrong. */
export function methodProblems(form: RolloutForm, zone: TimeZoneChoice, now: number): FormProblems {
  const waves = wavesIn(form.waves)
  const hasWaves =
    waves.length > 0 && waves.length <= maxWaves && waves.every((wave) => isAmount(wave) && !/^0+%?$/.test(wave))
  return known({
    waves: hasWaves ? undefined : 'waves',
    maxParallel: isInteger(form.maxParallel, 1, 1000) ? undefined : 'parallel',
    maxFailures: isAmount(form.maxFailures.trim()) ? undefined : 'amount',
    targetDeadlineSeconds: isInteger(form.targetDeadlineSeconds, 1, secondsPerWeek) ? undefined : 'deadline',
    soakSeconds: isInteger(form.soakSeconds, 0, secondsPerWeek) ? undefined : 'soak',
    retries: isInteger(form.retries, 0, 10) ? undefined : 'retries',
    keepVersions: isInteger(form.keepVersions, 1, 10) ? undefined : 'versions',
    startDate: startProblem(form, zone, now),
    configText: isJsonObject(form.configText) ? undefined : 'json',
  })
}

function startProblem(form: RolloutForm, zone: TimeZoneChoice, now: number): ProblemKind | undefined {
  const start = startOf(form, zone)?.getTime()
  if (start === undefined) return form.startTime === '' ? undefined : 'time'
  if (Number.isNaN(start)) return 'time'
  return start <= now ? 'past' : undefined
}

function isJsonObject(text: string): boolean {
  if (text.trim() === '') return true
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
  } catch {
    return false
  }
}
