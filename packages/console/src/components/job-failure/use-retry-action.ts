import { isActiveJob, type NamedJob, retryApiJob } from '@wharf/contract'
import { linkTo, navigate } from '../../browser/route.ts'
import { useWharf } from '../../data/wharf-context.tsx'
import { useMessages } from '../../i18n/use-messages.ts'
import { useJobTitle } from '../job-titles/use-job-title.ts'
import { useIsOthersJob } from '../permission.ts'
import type { RecordAction } from '../RecordActions.tsx'
import { messages } from './messages.ts'

interface RetriedJob extends NamedJob {
  readonly uuid?: string
  readonly state?: string
  readonly canRetry?: boolean
  readonly userUuid?: string
}

/** The action that repeats a job; the page of the new job follows. */
export function useRetryAction(): (job: RetriedJob) => RecordAction {
  const t = useMessages(messages)
  const wharf = useWharf()
  const titleOf = useJobTitle()
  const isOthersJob = useIsOthersJob()
  return (job) => {
    const { uuid = '', state = '', operation = '', canRetry } = job
    const hasEnded = !isActiveJob(state) && state !== 'Succeeded'
    const refusal = !hasEnded ? t.notEnded : operation.startsWith('Upload') ? t.uploadAgain : t.notStored
    return {
      label: t.retry,
      operation: retryApiJob,
      disabledReason: !canRetry ? refusal : isOthersJob(job) ? t.othersJob : undefined,
      call: { operation: retryApiJob, input: { uuid } },
      confirm: { title: t.retryTitle(titleOf(job)), consequences: t.retryConsequences },
      run: async () => {
        const { inventory } = await wharf.jobs.retry(uuid)
        navigate(linkTo(['jobs', inventory.uuid]))
      },
    }
  }
}
