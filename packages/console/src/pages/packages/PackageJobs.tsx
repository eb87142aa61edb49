import Box from '@cloudscape-design/components/box'
import Container from '@cloudscape-design/components/container'
import Header from '@cloudscape-design/components/header'
import Link from '@cloudscape-design/components/link'
import SpaceBetween from '@cloudscape-design/components/space-between'
import Table from '@cloudscape-design/components/table'
import { queryApiJob } from '@wharf/contract'
import { go, linkTo } from '../../frame/route.ts'
import { Failure } from '../../parts/Failure.tsx'
import { useJobFailure } from '../../parts/job-failure.ts'
import { Log } from '../../parts/Log.tsx'
import { Status } from '../../parts/Status.tsx'
import { When } from '../../parts/When.tsx'
import { useAnswer } from '../../wharf/answers.ts'
import { useWords } from '../../words/words.ts'
import { words } from './words.ts'

const maxJobs = 50

/** Every job that has worked on the package, and the log of the newest or of the one that was chosen. */
export function PackageJobs({ uuid, chosen }: { uuid: string; chosen: string | undefined }) {
  const say = useWords(words)
  const newest = useAnswer(queryApiJob, { q: [`subjectUuid=${uuid}`], sort: '-createDate', limit: maxJobs })
  const listed = newest.data?.inventories ?? []
  const isOlder = chosen !== undefined && newest.data !== undefined && !listed.some((job) => job.uuid === chosen)
  const older = useAnswer(queryApiJob, { q: [`uuid=${chosen}`, `subjectUuid=${uuid}`] }, { enabled: isOlder })
  const jobs = isOlder ? [...listed, ...(older.data?.inventories ?? [])] : listed
  const shown = jobs.find((job) => job.uuid === chosen) ?? (isOlder && older.isPending ? undefined : jobs[0])
  const error = newest.error ?? older.error
  const failure = useJobFailure(shown?.uuid ?? '', shown?.state === 'Failed')
  const show = (job: string | undefined): void => go(linkTo(['packages', uuid], { job }), { replace: true })
  return (
    <SpaceBetween size="l">
      {error ? <Failure error={error} /> : null}
      <Table
        variant="container"
        header={<Header variant="h2">{say.jobs}</Header>}
        items={jobs}
        trackBy="uuid"
        loading={newest.isPending}
        loadingText={say.looking}
        empty={<Box textAlign="center">{error ? '–' : say.noJobs}</Box>}
        selectionType="single"
        selectedItems={shown ? [shown] : []}
        onSelectionChange={({ detail }) => show(detail.selectedItems[0]?.uuid)}
        onRowClick={({ detail }) => show(detail.item.uuid)}
        ariaLabels={{
          selectionGroupLabel: say.showLog,
          itemSelectionLabel: (_, { operation = '' }) => say.logOf(operation),
        }}
        columnDefinitions={[
          {
            id: 'operation',
            header: say.operation,
            cell: (job) => <Link href={linkTo(['jobs', job.uuid ?? ''])}>{job.operation}</Link>,
          },
          { id: 'state', header: say.state, cell: (job) => <Status value={job.state} isJob /> },
          { id: 'error', header: say.error, cell: ({ errorCode }) => errorCode ?? '–' },
          { id: 'begun', header: say.begun, cell: (job) => <When time={job.createDate} /> },
        ]}
      />
      {shown?.uuid ? (
        <Container header={<Header variant="h2">{say.logOf(shown.operation ?? '')}</Header>}>
          <SpaceBetween size="m">
            {failure ? <Failure error={failure} /> : null}
            <Log key={shown.uuid} jobUuid={shown.uuid} />
          </SpaceBetween>
        </Container>
      ) : null}
    </SpaceBetween>
  )
}
