import { Cron } from 'croner'
import { linesOf } from '../../../components/condition-lines.ts'

/** The fields as typed. */
export interface WindowForm {
  readonly name: string
  readonly cron: string
  readonly durationMinutes: string
  readonly timeZone: string
  readonly cutoffMinutes: string
  /** One condition per line; empty for every host. */
  readonly selector: string
}

export const newWindow = (timeZone: string): WindowForm => ({
  name: '',
  cron: '0 22 * * 1-5',
  durationMinutes: '120',
  timeZone,
  cutoffMinutes: '0',
  selector: '',
})

interface StoredWindow {
  readonly name: string
  readonly cron: string
  readonly durationMinutes: number
  readonly timeZone: string
  readonly cutoffMinutes: number
  readonly selector: readonly string[]
}

export const formOf = (window: StoredWindow): WindowForm => ({
  ...window,
  durationMinutes: String(window.durationMinutes),
  cutoffMinutes: String(window.cutoffMinutes),
  selector: window.selector.join('\n'),
})

const minutesPerWeek = 7 * 24 * 60

export type WindowProblem = 'required' | 'cron' | 'never' | 'duration' | 'timeZone' | 'cutoff'
export type WindowProblems = Partial<Record<keyof WindowForm, WindowProblem>>

const integerIn = (text: string): number => (/^\d+$/.test(text.trim()) ? Number(text) : Number.NaN)

export function problemsOf(form: WindowForm): WindowProblems {
  const duration = integerIn(form.durationMinutes)
  const cutoff = integerIn(form.cutoffMinutes)
  const problems: { [field in keyof WindowForm]?: WindowProblem | undefined } = {
    name: form.name.trim() === '' ? 'required' : undefined,
    timeZone: isTimeZone(form.timeZone.trim()) ? undefined : 'timeZone',
    cron: cronProblem(form.cron),
    durationMinutes: duration >= 1 && duration <= minutesPerWeek ? undefined : 'duration',
    // a duration that is not a number has its own problem
    cutoffMinutes: Number.isNaN(cutoff) || cutoff >= duration ? 'cutoff' : undefined,
  }
  return Object.fromEntries(Object.entries(problems).filter(([, problem]) => problem !== undefined))
}

function cronProblem(cron: string): WindowProblem | undefined {
  if (cron.trim() === '') return 'required'
  try {
    return schedule(cron, 'UTC').nextRun() === null ? 'never' : undefined
  } catch {
    return 'cron'
  }
}

/** Names only: an offset such as +01:00 does not follow the clocks of a place. */
function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: name }))
  } catch {
    return false
  }
}

/** Five fields, as the server reads them. */
const schedule = (cron: string, timeZone: string): Cron =>
  new Cron(cron.trim(), { timezone: timeZone, paused: true, mode: '5-part' })

/** When the window opens next; empty for times that are not valid. */
export function nextOpenings(
  { cron, timeZone }: Pick<WindowForm, 'cron' | 'timeZone'>,
  count: number,
  now: number,
): Date[] {
  try {
    return isTimeZone(timeZone) ? schedule(cron, timeZone).nextRuns(count, new Date(now)) : []
  } catch {
    return []
  }
}

export const windowInput = (form: WindowForm) => ({
  name: form.name.trim(),
  cron: form.cron.trim(),
  durationMinutes: Number(form.durationMinutes),
  timeZone: form.timeZone.trim(),
  cutoffMinutes: Number(form.cutoffMinutes),
  selector: linesOf(form.selector),
})
