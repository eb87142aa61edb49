import Alert from '@cloudscape-design/components/alert'
import Button from '@cloudscape-design/components/button'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { type ErrorCode, type queryApiJob, rollBackSoftwarePackage, upgradeSoftwarePackage } from '@wharf/contract'
import { WharfError } from '@wharf/sdk'
import { useState } from 'react'
import { linkTo } from '../../browser/route.ts'
import { useMessages } from '../../i18n/use-messages.ts'
import { ErrorAlert } from '../ErrorAlert.tsx'
import { withoutRequest } from '../error-text.ts'
import { useJobTitle } from '../job-titles/use-job-title.ts'
import { RecordActions } from '../RecordActions.tsx'
import type { RecordOf } from '../ResourceTable.tsx'
import { useJobFailure } from '../use-job-failure.ts'
import { messages } from './messages.ts'
import { useFailureLines } from './use-failure-lines.ts'
import { useRetryAction } from './use-retry-action.ts'

type JobRecord = RecordOf<typeof queryApiJob>

interface JobFailureProps {
  readonly job: JobRecord
  /** The job has no page to link to, because this is it, and its page has the action. */
  readonly isOwnPage?: boolean
}

/** Why a job failed, with the end of its log; or that it was cancelled. Nothing for another job. */
export function JobFailure({ job, isOwnPage = false }: JobFailureProps) {
  if (job.state === 'Failed') return <Failure job={job} isOwnPage={isOwnPage} />
  return job.state === 'Cancelled' ? <Cancellation job={job} isOwnPage={isOwnPage} /> : null
}

function Failure({ job, isOwnPage }: Required<JobFailureProps>) {
  const t = useMessages(messages)
  const { uuid = '' } = job
  const failure = useJobFailure(uuid, true)
  const lines = useFailureLines(job, failure instanceof WharfError ? withoutRequest(failure) : '')
  const title = useJobTitle()(job)
  const [retryError, setRetryError] = useState<unknown>()
  if (!failure) return null
  return (
    <SpaceBetween size="m">
      {retryError ? <ErrorAlert error={retryError} /> : null}
      <ErrorAlert
        error={failure}
        {...(isOwnPage ? {} : { title: (isVersionKept(job) ? t.failedAndKept : t.failed)(title) })}
      >
        {lines.length > 0 ? (
          <section aria-label={t.logEnd}>
            <pre className="log failure-log">{lines.join('\n')}</pre>
          </section>
        ) : null}
        {isOwnPage ? null : <FailureActions job={job} onError={setRetryError} />}
      </ErrorAlert>
    </SpaceBetween>
  )
}

const rollbackFailed: ErrorCode = 'SoftwarePackage.1310'

/** A failed upgrade or rollback leaves the version that was installed before, unless its error is that it could not. */
const isVersionKept = ({ operation, errorCode }: JobRecord): boolean =>
  (operation === upgradeSoftwarePackage.name || operation === rollBackSoftwarePackage.name) &&
  errorCode !== rollbackFailed

function Cancellation({ job, isOwnPage }: Required<JobFailureProps>) {
  const t = useMessages(messages)
  const title = useJobTitle()(job)
  const [retryError, setRetryError] = useState<unknown>()
  return (
    <SpaceBetween size="m">
      {retryError ? <ErrorAlert error={retryError} /> : null}
      <Alert type="info" {...(isOwnPage ? {} : { header: t.cancelled(title) })}>
        <SpaceBetween size="s">
          {t.cancelledExplanation}
          {isOwnPage ? null : <FailureActions job={job} onError={setRetryError} />}
        </SpaceBetween>
      </Alert>
    </SpaceBetween>
  )
}

function FailureActions({ job, onError }: { job: JobRecord; onError: (error: unknown) => void }) {
  const t = useMessages(messages)
  const retry = useRetryAction()(job)
  return (
    <SpaceBetween direction="horizontal" size="xs">
      <Button href={linkTo(['jobs', job.uuid ?? ''])}>{t.toJob}</Button>
      <RecordActions actions={[retry]} onError={onError} />
    </SpaceBetween>
  )
}
