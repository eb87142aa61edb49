import { type AnswerOf, getApiJobSteps } from '@wharf/contract'
import { useMemo } from 'react'
import { useApiQuery } from '../../data/api-query.ts'

export type JobStep = Partial<NonNullable<AnswerOf<typeof getApiJobSteps>['steps']>[number]>

export interface JobSteps {
  readonly steps: readonly JobStep[]
  /** The numbers of the log lines with the failure. */
  readonly failureLines: { readonly first: number; readonly last: number } | undefined
}

/** The steps of a job; events of the job refetch them. */
export function useJobSteps(jobUuid: string): JobSteps {
  const { data } = useApiQuery(getApiJobSteps, { uuid: jobUuid })
  return useMemo(() => {
    const { steps = [], failureFirstLine: first, failureLastLine: last } = data ?? {}
    const failureLines = typeof first === 'number' && typeof last === 'number' ? { first, last } : undefined
    return { steps, failureLines }
  }, [data])
}
