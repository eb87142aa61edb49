import Button from '@cloudscape-design/components/button'
import Container from '@cloudscape-design/components/container'
import Header from '@cloudscape-design/components/header'
import ProgressBar from '@cloudscape-design/components/progress-bar'
import SpaceBetween from '@cloudscape-design/components/space-between'
import type { queryApiJob } from '@wharf/contract'
import { linkTo } from '../../../frame/route.ts'
import { Failure } from '../../../parts/Failure.tsx'
import { useJobFailure } from '../../../parts/job-failure.ts'
import { Log } from '../../../parts/Log.tsx'
import type { RecordOf } from '../../../parts/ResourceTable.tsx'
import { Status } from '../../../parts/Status.tsx'
import { useWords } from '../../../words/words.ts'
import { words } from './words.ts'

/** What is being done to the cluster, or why it could not be. */
export function ClusterJob({ job }: { job: RecordOf<typeof queryApiJob> }) {
  const say = useWords(words)
  const { uuid = '', operation = '', state = '', progress = 0, currentStep } = job
  const failure = useJobFailure(uuid, state === 'Failed')
  return (
    <Container
      header={
        <Header
          variant="h2"
          description={operation}
          actions={<Button href={linkTo(['jobs', uuid])}>{say.toJob}</Button>}
        >
          {say.lastJob}
        </Header>
      }
    >
      <SpaceBetween size="m">
        <Status value={state} isJob />
        {failure ? <Failure error={failure} /> : null}
        {['Waiting', 'Running', 'Undoing'].includes(state) ? (
          <ProgressBar value={progress} additionalInfo={currentStep ?? ''} ariaLabel={say.progress} />
        ) : null}
        <Log jobUuid={uuid} />
      </SpaceBetween>
    </Container>
  )
}
