import type { NamedJob } from '@wharf/contract'
import type { Wharf } from '@wharf/sdk'
import { failureReason } from '../../failure-reason.ts'
import { withNames } from '../../names/reference-names.ts'
import type { FoundRecord } from '../../names/resolve-record.ts'
import { formatAge, formatDuration } from '../../output/format-quantities.ts'

type JobFields = Readonly<Record<string, unknown>>

const timeOf = (wharf: Wharf, text: unknown): number | undefined =>
  typeof text === 'string' ? wharf.toDate(text).getTime() : undefined

const textOf = (
  format: (seconds: number) => string,
  from: number | undefined,
  to: number | undefined,
): string | null => (from === undefined || to === undefined ? null : format((to - from) / 1000))

/** How long the job took, or has been running. A server of an older version does not report the end. */
export function durationText(wharf: Wharf, { state, createDate, endDate, lastOpDate }: JobFields): string | null {
  const isActive = ['Waiting', 'Running', 'Undoing'].includes(String(state))
  const end = isActive ? Date.now() : timeOf(wharf, endDate ?? lastOpDate)
  return textOf(formatDuration, timeOf(wharf, createDate), end)
}

/** How long ago the job started. */
export const ageText = (wharf: Wharf, { createDate }: JobFields): string | null =>
  textOf(formatAge, timeOf(wharf, createDate), Date.now())

/** The fields of `job show`, most important first. */
export async function describeJob(wharf: Wharf, record: FoundRecord): Promise<object> {
  const { jobStepTitle, jobTitle } = await import('@wharf/contract')
  const { state, progress, currentStep, operation, createDate, endDate, deadline, uuid } = record
  const hasFailed = state === 'Failed' || state === 'Cancelled'
  const { account, user, managementNode } = await withNames(wharf, record)
  return {
    job: jobTitle(record as NamedJob),
    state,
    ...(hasFailed
      ? { reason: (await failureReason(wharf, uuid)) ?? null }
      : {
          progress: `${progress}%`,
          currentStep: currentStep && jobStepTitle(String(operation), String(currentStep)),
        }),
    user: record.userName ?? user,
    account,
    started: createDate,
    ended: endDate ?? null,
    duration: durationText(wharf, record),
    deadline,
    operation,
    managementNode,
    uuid,
  }
}
