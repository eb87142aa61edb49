import { cancelApiJob, type queryApiJob, retryApiJob } from '@wharf/contract'
import { messages as failureMessages } from '../../components/job-failure/messages.ts'
import { useRetryAction } from '../../components/job-failure/use-retry-action.ts'
import type { BulkAction, RecordOf } from '../../components/ResourceTable.tsx'
import { useWharf } from '../../data/wharf-context.tsx'
import { useMessages } from '../../i18n/use-messages.ts'
import { messages } from './messages.ts'
import { useCancelProblem } from './use-cancel-problem.ts'

type Job = RecordOf<typeof queryApiJob>

export function useJobBulkActions(): BulkAction<Job>[] {
  const t = useMessages(messages)
  const failure = useMessages(failureMessages)
  const { jobs } = useWharf()
  const retryAction = useRetryAction()
  const cancelProblem = useCancelProblem()
  return [
    {
      id: 'retry',
      label: failure.retry,
      operation: retryApiJob,
      consequences: failure.retryConsequences,
      problem: (job) => retryAction(job).disabledReason,
      run: ({ uuid = '' }) => jobs.retry(uuid),
      inputOf: ({ uuid }) => ({ uuid }),
    },
    {
      id: 'cancel',
      label: t.cancel,
      operation: cancelApiJob,
      consequences: t.cancelConsequences,
      problem: cancelProblem,
      run: ({ uuid = '' }) => jobs.cancel(uuid),
      inputOf: ({ uuid }) => ({ uuid }),
    },
  ]
}
