import { getApiJobLogLines, getApiJobSteps } from '@wharf/contract'
import { useApiQuery } from '../../data/api-query.ts'
import { plainLine } from '../job-log/styled-spans.ts'
import { linesBefore, linesBeyond } from './failure-lines.ts'

/** The last lines that a job logged before it failed, without those that the failure itself contains. */
export function useFailureLines(uuid: string, failure: string): readonly string[] {
  const steps = useApiQuery(getApiJobSteps, { uuid })
  const part = linesBefore(steps.data?.failureFirstLine ?? null)
  const { data } = useApiQuery(getApiJobLogLines, { uuid, ...part }, { enabled: part !== undefined })
  return part === undefined
    ? []
    : linesBeyond(
        failure,
        (data?.lines ?? []).map(({ line }) => plainLine(line)),
      )
}
