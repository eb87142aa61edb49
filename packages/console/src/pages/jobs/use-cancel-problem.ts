import { isActiveJob } from '@wharf/contract'
import { useIsOthersJob } from '../../components/permission.ts'
import { useMessages } from '../../i18n/use-messages.ts'
import { messages } from './messages.ts'

interface CancelledJob {
  readonly state?: string
  readonly userUuid?: string
}

/** Why the server would refuse to cancel a job. */
export function useCancelProblem(): (job: CancelledJob) => string | undefined {
  const t = useMessages(messages)
  const isOthersJob = useIsOthersJob()
  return (job) => {
    if (!isActiveJob(job.state)) return t.ended
    return isOthersJob(job) ? t.othersJob : undefined
  }
}
