import Button from '@cloudscape-design/components/button'
import Container from '@cloudscape-design/components/container'
import ContentLayout from '@cloudscape-design/components/content-layout'
import Header from '@cloudscape-design/components/header'
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs'
import Link from '@cloudscape-design/components/link'
import ProgressBar from '@cloudscape-design/components/progress-bar'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { cancelApiJob, queryApiJob } from '@wharf/contract'
import { useState } from 'react'
import { linkTo } from '../../frame/route.ts'
import { Confirm } from '../../parts/Confirm.tsx'
import { Failure } from '../../parts/Failure.tsx'
import { Gone } from '../../parts/Gone.tsx'
import { useJobFailure } from '../../parts/job-failure.ts'
import { useJobTitles } from '../../parts/job-titles/use-job-titles.ts'
import { Log } from '../../parts/Log.tsx'
import { useRefusal } from '../../parts/permission.ts'
import { Status } from '../../parts/Status.tsx'
import { When } from '../../parts/When.tsx'
import { useAnswer } from '../../wharf/answers.ts'
import { useWharf } from '../../wharf/wharf.tsx'
import { useWords } from '../../words/words.ts'
import { words } from './words.ts'

const running: readonly string[] = ['Waiting', 'Running', 'Undoing']

export function JobDetail({ uuid }: { uuid: string }) {
  const say = useWords(words)
  const wharf = useWharf()
  const refused = useRefusal()
  const [isAsking, setAsking] = useState(false)
  const { data, error } = useAnswer(queryApiJob, { q: [`uuid=${uuid}`] })
  const job = data?.inventories?.[0]
  const { title, subject } = useJobTitles(job ? [job] : [])(job ?? { operation: uuid })
  const isRunning = running.includes(job?.state ?? '')
  const failure = useJobFailure(uuid, job?.state === 'Failed')
  if (error) return <Failure error={error} />
  if (data && job === undefined) return <Gone text={say.unknown(uuid)} href={linkTo(['jobs'])} toList={say.toJobs} />
  return (
    <ContentLayout
      header={
        <Header
          variant="h1"
          description={job?.operation}
          actions={
            <Button
              {...(refused(cancelApiJob) ?? (isRunning ? {} : { disabled: true, disabledReason: say.ended }))}
              onClick={() => setAsking(true)}
            >
              {say.cancel}
            </Button>
          }
        >
          {title}
        </Header>
      }
    >
      <SpaceBetween size="l">
        {failure ? <Failure error={failure} /> : null}
        <Container>
          <KeyValuePairs
            columns={4}
            items={[
              { label: say.state, value: <Status value={job?.state} isJob /> },
              { label: say.progress, value: <ProgressBar value={job?.progress ?? 0} ariaLabel={say.progress} /> },
              { label: say.step, value: job?.currentStep ?? '–' },
              { label: say.created, value: <When time={job?.createDate} /> },
              { label: say.changed, value: <When time={job?.lastOpDate} /> },
              { label: say.deadline, value: <When time={job?.deadline} /> },
              {
                label: say.subject,
                value: subject ? <Link href={subject.href}>{subject.name}</Link> : (job?.subjectUuid ?? '–'),
              },
              { label: say.node, value: job?.managementNodeUuid ?? '–' },
            ]}
          />
        </Container>
        <Container header={<Header variant="h2">{say.log}</Header>}>
          <Log jobUuid={uuid} />
        </Container>
      </SpaceBetween>
      {isAsking ? (
        <Confirm
          title={say.cancelTitle(title)}
          consequences={say.cancelMeans}
          action={say.cancel}
          onConfirm={() => wharf.jobs.cancel(uuid)}
          onDismiss={() => setAsking(false)}
        />
      ) : null}
    </ContentLayout>
  )
}
