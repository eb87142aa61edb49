import Button from '@cloudscape-design/components/button'
import Container from '@cloudscape-design/components/container'
import Header from '@cloudscape-design/components/header'
import ProgressBar from '@cloudscape-design/components/progress-bar'
import SpaceBetween from '@cloudscape-design/components/space-between'
import type { queryApiJob } from '@wharf/contract'
import { isActiveJob } from '@wharf/contract'
import { linkTo } from '../../../browser/route.ts'
import { ErrorAlert } from '../../../components/ErrorAlert.tsx'
import { JobLog } from '../../../components/job-log/JobLog.tsx'
import { useStepTitle } from '../../../components/job-steps/use-step-title.ts'
import type { RecordOf } from '../../../components/ResourceTable.tsx'
import { Status } from '../../../components/Status.tsx'
import { useJobFailure } from '../../../components/use-job-failure.ts'
import { useMessages } from '../../../i18n/use-messages.ts'
import { messages } from './messages.ts'

/** The running or failed job of the cluster. */
export function ClusterJob({ job }: { job: RecordOf<typeof queryApiJob> }) {
  const t = useMessages(messages)
  const stepTitle = useStepTitle()
  const { uuid = '', operation = '', state = '', progress = 0, currentStep } = job
  const failure = useJobFailure(uuid, state === 'Failed')
  return (
    <Container
      header={
        <Header variant="h2" description={operation} actions={<Button href={linkTo(['jobs', uuid])}>{t.toJob}</Button>}>
          {t.lastJob}
        </Header>
      }
    >
      <SpaceBetween size="m">
        <Status value={state} isJob />
        {failure ? <ErrorAlert error={failure} /> : null}
        {isActiveJob(state) ? (
          <ProgressBar
            value={progress}
            additionalInfo={currentStep ? stepTitle(operation, currentStep) : ''}
            ariaLabel={t.progress}
          />
        ) : null}
        <JobLog jobUuid={uuid} operation={operation} />
      </SpaceBetween>
    </Container>
  )
}
