import Button from '@cloudscape-design/components/button'
import Container from '@cloudscape-design/components/container'
import Header from '@cloudscape-design/components/header'
import ProgressBar from '@cloudscape-design/components/progress-bar'
import SpaceBetween from '@cloudscape-design/components/space-between'
import type { queryApiJob } from '@wharf/contract'
import { linkTo } from '../../../browser/route.ts'
import { JobLog } from '../../../components/job-log/JobLog.tsx'
import { useStepTitle } from '../../../components/job-steps/use-step-title.ts'
import { useJobTitle } from '../../../components/job-titles/use-job-title.ts'
import type { RecordOf } from '../../../components/ResourceTable.tsx'
import { Status } from '../../../components/Status.tsx'
import { useMessages } from '../../../i18n/use-messages.ts'
import { messages } from './messages.ts'

/** The running job of the cluster. */
export function ClusterJob({ job }: { job: RecordOf<typeof queryApiJob> }) {
  const t = useMessages(messages)
  const stepTitle = useStepTitle()
  const title = useJobTitle()(job)
  const { uuid = '', operation = '', state = '', progress = 0, currentStep } = job
  return (
    <Container
      header={
        <Header variant="h2" actions={<Button href={linkTo(['jobs', uuid])}>{t.toJob}</Button>}>
          {title}
        </Header>
      }
    >
      <SpaceBetween size="m">
        <Status value={state} isJob />
        <ProgressBar
          value={progress}
          additionalInfo={currentStep ? stepTitle(operation, currentStep) : ''}
          ariaLabel={t.progress}
        />
        <JobLog jobUuid={uuid} operation={operation} />
      </SpaceBetween>
    </Container>
  )
}
