import Container from '@cloudscape-design/components/container'
import Header from '@cloudscape-design/components/header'
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs'
import Link from '@cloudscape-design/components/link'
import { getRollout, queryMaintenanceWindow } from '@wharf/contract'
import { linkTo } from '../../../browser/route.ts'
import { CopiedText } from '../../../components/CopiedText.tsx'
import { CopyAsCommand } from '../../../components/copy-command/CopyAsCommand.tsx'
import { RelativeTime } from '../../../components/RelativeTime.tsx'
import { useApiQuery } from '../../../data/api-query.ts'
import { usePlatformNames } from '../../../features/alert-platforms/use-platform-names.ts'
import { useFormat } from '../../../i18n/use-format.ts'
import { useMessages } from '../../../i18n/use-messages.ts'
import type { RolloutRecord } from '../rollout-record.ts'
import { UserName } from '../UserName.tsx'
import { messages as wizardMessages } from '../wizard/messages.ts'
import { messages } from './messages.ts'

/** How the rollout was created. */
export function RolloutFacts({ record }: { record: RolloutRecord }) {
  const t = useMessages(messages)
  const form = useMessages(wizardMessages)
  const format = useFormat()
  const platformName = usePlatformNames()
  const { uuid, releaseUuid, softwareName, version, selector, windowUuid, approvedBy, alertPlatformUuids } = record
  const seconds = (count: number): string => (count === 0 ? t.none : format.duration(count * 1000))
  return (
    <Container
      header={
        <Header variant="h2" actions={<CopyAsCommand calls={[{ operation: getRollout, input: { uuid } }]} />}>
          {t.settings}
        </Header>
      }
    >
      <KeyValuePairs
        columns={4}
        items={[
          {
            label: t.release,
            value: <Link href={linkTo(['releases', releaseUuid])}>{`${softwareName} ${version}`}</Link>,
          },
          { label: t.hosts, value: selector.length > 0 ? selector.join(t.comma) : t.chosenHosts },
          { label: form.waves, value: record.waves.join(t.comma) },
          ...(record.spreadBy ? [{ label: form.spreadBy, value: record.spreadBy }] : []),
          { label: form.promotion, value: form.promotions[record.promotion] },
          { label: form.maxParallel, value: format.number(record.maxParallel) },
          { label: form.maxFailures, value: record.maxFailures },
          { label: form.onFailure, value: form.onFailures[record.onFailure] },
          { label: form.unreachable, value: form.unreachables[record.unreachable] },
          { label: t.hostDeadline, value: seconds(record.targetDeadlineSeconds) },
          { label: t.soakTime, value: record.soakSeconds > 0 ? seconds(record.soakSeconds) : t.none },
          { label: form.retries, value: format.number(record.retries) },
          ...(alertPlatformUuids.length > 0
            ? [{ label: form.alertPlatforms, value: alertPlatformUuids.map(platformName).join(t.comma) }]
            : []),
          { label: form.keepVersions, value: format.number(record.keepVersions) },
          ...(windowUuid ? [{ label: form.window, value: <WindowName uuid={windowUuid} /> }] : []),
          ...(record.dynamic ? [{ label: form.dynamic, value: t.yes }] : []),
          { label: t.createdBy, value: <UserName uuid={record.userUuid} /> },
          ...(approvedBy
            ? [{ label: record.state === 'Denied' ? t.deniedBy : t.approvedBy, value: <UserName uuid={approvedBy} /> }]
            : []),
          { label: t.created, value: <RelativeTime time={record.createDate} /> },
          { label: t.started, value: <RelativeTime time={record.startDate} /> },
          { label: t.ended, value: <RelativeTime time={record.endDate} /> },
          { label: t.uuid, value: <CopiedText text={uuid} /> },
        ]}
      />
    </Container>
  )
}

function WindowName({ uuid }: { uuid: string }) {
  const { data } = useApiQuery(queryMaintenanceWindow, { q: [`uuid=${uuid}`], fields: ['uuid', 'name'] })
  const name = data?.inventories?.[0]?.name ?? uuid
  return <Link href={linkTo(['rollouts', 'windows'], { q: `uuid=${uuid}` })}>{name}</Link>
}
