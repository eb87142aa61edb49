import { getApiJobLogLines, getApiJobSteps, titledLogLine } from '@wharf/contract'
import { useApiQuery } from '../../data/api-query.ts'
import { useMessages } from '../../i18n/use-messages.ts'
import { messages } from '../job-log/messages.ts'
import { plainLine } from '../job-log/styled-spans.ts'
import { useStepTitle } from '../job-steps/use-step-title.ts'
import { linesBefore, linesBeyond } from './failure-lines.ts'

interface FailedJob {
  readonly uuid?: string
  readonly operation?: string
}

/** The last lines that a job logged before it failed, without those that the failure itself contains. */
export function useFailureLines({ uuid = '', operation = '' }: FailedJob, failure: string): readonly string[] {
  const t = useMessages(messages)
  const stepTitle = useStepTitle()
  const { data: steps } = useApiQuery(getApiJobSteps, { uuid })
  const firstLine = steps?.failureFirstLine ?? null
  // a job of an older version has no line of its failure: the end of its log is shown
  const isOlder = steps !== undefined && firstLine === null
  const { data: log } = useApiQuery(getApiJobLogLines, { uuid, limit: 1 }, { enabled: isOlder })
  const part = linesBefore(firstLine, isOlder ? log?.lastNumber : undefined)
  const { data } = useApiQuery(getApiJobLogLines, { uuid, ...part }, { enabled: part !== undefined })
  if (part === undefined) return []
  const lines = (data?.lines ?? []).map(({ line }) => plainLine(line))
  return linesBeyond(failure, lines).map((line) =>
    titledLogLine(line, (kind, step) => t[kind](stepTitle(operation, step))),
  )
}
