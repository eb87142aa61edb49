import Alert from '@cloudscape-design/components/alert'
import Container from '@cloudscape-design/components/container'
import Header from '@cloudscape-design/components/header'
import SegmentedControl from '@cloudscape-design/components/segmented-control'
import Spinner from '@cloudscape-design/components/spinner'
import { queryRollout } from '@wharf/contract'
import { useCallback, useEffect } from 'react'
import { linkTo, navigate, parseRoute } from '../../../browser/route.ts'
import { DetailPage } from '../../../components/DetailPage.tsx'
import { ErrorAlert } from '../../../components/ErrorAlert.tsx'
import { UserTags } from '../../../components/user-tags/UserTags.tsx'
import { useApiQuery } from '../../../data/api-query.ts'
import { useSession } from '../../../data/session.ts'
import { isAbout } from '../../../features/notifications/notification.ts'
import { notificationStore } from '../../../features/notifications/use-notifications.ts'
import { useFormat } from '../../../i18n/use-format.ts'
import { useMessages } from '../../../i18n/use-messages.ts'
import type { RolloutRecord } from '../rollout-record.ts'
import { messages } from './messages.ts'
import { RolloutFacts } from './RolloutFacts.tsx'
import { RolloutState } from './RolloutState.tsx'
import './rollouts.css'
import { TargetPanel } from './TargetPanel.tsx'
import { TargetTable } from './TargetTable.tsx'
import { linkToTarget } from './target-link.ts'
import { useRolloutActions } from './use-rollout-actions.tsx'
import { useRolloutParts } from './use-rollout-parts.ts'
import { WaveDiagram } from './WaveDiagram.tsx'

interface RolloutDetailProps {
  readonly uuid: string
  readonly search: URLSearchParams
}

export function RolloutDetail({ uuid, search }: RolloutDetailProps) {
  const t = useMessages(messages)
  const query = useApiQuery(queryRollout, { q: [`uuid=${uuid}`] })
  const actions = useRolloutActions()
  const { userUuid = '' } = useSession() ?? {}
  useEffect(() => notificationStore(userUuid).markRead((one) => isAbout(one, uuid)), [userUuid, uuid])
  return (
    <DetailPage
      query={query}
      notFound={t.notFound}
      list={{ path: ['rollouts'], label: t.toList }}
      title={({ name }) => name}
      description={({ softwareName, version }) => `${softwareName} ${version}`}
      actions={(record) => actions(record as RolloutRecord)}
    >
      {(record) => (
        <>
          <RolloutState record={record as RolloutRecord} />
          <RolloutHosts record={record as RolloutRecord} search={search} />
          <RolloutFacts record={record as RolloutRecord} />
          <UserTags resourceUuid={uuid} resourceType="Rollout" list={['rollouts']} />
        </>
      )}
    </DetailPage>
  )
}

/** The hosts as a diagram or as a table, and the selected one beside them. */
function RolloutHosts({ record, search }: { record: RolloutRecord; search: URLSearchParams }) {
  const t = useMessages(messages)
  const format = useFormat()
  const { uuid } = record
  const { waves, targets, omittedCount, error } = useRolloutParts(uuid)
  const isTable = search.get('view') === 'table'
  const selected = targets?.find((target) => target.uuid === search.get('target'))
  const select = useCallback(
    (target: string | undefined) =>
      navigate(linkToTarget(uuid, target, parseRoute(location.hash).search), { replace: true }),
    [uuid],
  )
  const show = (view: string): void =>
    navigate(linkTo(['rollouts', uuid], { view: view === 'table' ? view : undefined, target: selected?.uuid }))
  const views = (
    <SegmentedControl
      label={t.view}
      selectedId={isTable ? 'table' : 'diagram'}
      options={[
        { id: 'diagram', text: t.diagram },
        { id: 'table', text: t.table },
      ]}
      onChange={({ detail }) => show(detail.selectedId)}
    />
  )
  const isLoaded = waves !== undefined && targets !== undefined
  return (
    <div className={selected ? 'rollout-diagram with-target' : 'rollout-diagram'}>
      {isTable && isLoaded ? (
        <TargetTable rolloutUuid={uuid} search={search} actions={views} />
      ) : (
        <Container
          header={
            <Header variant="h2" actions={views}>
              {t.waves}
            </Header>
          }
        >
          {error ? <ErrorAlert error={error} /> : null}
          {omittedCount > 0 ? <Alert type="info">{t.omitted(format.number(omittedCount))}</Alert> : null}
          {isLoaded ? (
            <WaveDiagram
              rollout={record}
              waves={waves}
              targets={targets}
              selectedUuid={selected?.uuid}
              onSelect={select}
            />
          ) : error ? null : (
            <Spinner size="large" />
          )}
        </Container>
      )}
      {selected ? <TargetPanel rolloutUuid={uuid} target={selected} onDismiss={() => select(undefined)} /> : null}
    </div>
  )
}
