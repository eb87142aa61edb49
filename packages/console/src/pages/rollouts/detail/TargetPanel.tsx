import Box from '@cloudscape-design/components/box'
import Button from '@cloudscape-design/components/button'
import Container from '@cloudscape-design/components/container'
import Header from '@cloudscape-design/components/header'
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs'
import Link from '@cloudscape-design/components/link'
import SpaceBetween from '@cloudscape-design/components/space-between'
import Spinner from '@cloudscape-design/components/spinner'
import { queryApiJob } from '@wharf/contract'
import { linkTo } from '../../../browser/route.ts'
import { JobLog } from '../../../components/job-log/JobLog.tsx'
import { RelativeTime } from '../../../components/RelativeTime.tsx'
import { Status } from '../../../components/Status.tsx'
import { useApiQuery } from '../../../data/api-query.ts'
import { useFormat } from '../../../i18n/use-format.ts'
import { useMessages } from '../../../i18n/use-messages.ts'
import { PlannedChange } from '../PlannedChange.tsx'
import { messages } from './messages.ts'
import { type CellTarget, type Target, useTarget } from './use-rollout-parts.ts'

interface TargetPanelProps {
  readonly rolloutUuid: string
  readonly target: CellTarget
  readonly onDismiss: () => void
}

/** One host of the rollout, with the live log of its last job. */
export function TargetPanel({ rolloutUuid, target: { uuid, hostName }, onDismiss }: TargetPanelProps) {
  const t = useMessages(messages)
  const target = useTarget(rolloutUuid, uuid)
  return (
    <section className="target-panel" aria-label={t.hostOf(hostName)}>
      <Container
        header={
          <Header
            variant="h2"
            actions={<Button iconName="close" variant="icon" ariaLabel={t.closeHost} onClick={onDismiss} />}
          >
            {hostName}
          </Header>
        }
      >
        {target ? <TargetFacts target={target} /> : <Spinner />}
      </Container>
    </section>
  )
}

function TargetFacts({ target }: { target: Target }) {
  const t = useMessages(messages)
  const format = useFormat()
  const { hostName, hostUuid, error, jobUuid } = target
  return (
    <SpaceBetween size="m">
      <KeyValuePairs
        columns={2}
        items={[
          { label: t.state, value: <Status value={target.state} /> },
          { label: t.action, value: <PlannedChange target={target} /> },
          { label: t.started, value: <RelativeTime time={target.startDate} /> },
          { label: t.attempts, value: format.number(target.attempts) },
          { label: t.host, value: <Link href={linkTo(['hosts', hostUuid])}>{hostName}</Link> },
          { label: t.job, value: jobUuid ? <Link href={linkTo(['jobs', jobUuid])}>{t.openJob}</Link> : t.none },
        ]}
      />
      {error ? (
        <div>
          <Box variant="awsui-key-label">{t.lastError}</Box>
          <div className="error-text">{error}</div>
        </div>
      ) : null}
      {jobUuid ? <TargetLog jobUuid={jobUuid} /> : <Box color="text-body-secondary">{t.noLog}</Box>}
    </SpaceBetween>
  )
}

function TargetLog({ jobUuid }: { jobUuid: string }) {
  const { data } = useApiQuery(queryApiJob, { q: [`uuid=${jobUuid}`] })
  const job = data?.inventories?.find(({ uuid }) => uuid === jobUuid)
  return <JobLog jobUuid={jobUuid} operation={job?.operation ?? ''} />
}
