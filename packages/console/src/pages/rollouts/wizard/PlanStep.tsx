import Alert from '@cloudscape-design/components/alert'
import Container from '@cloudscape-design/components/container'
import Header from '@cloudscape-design/components/header'
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { createRollout, planActions } from '@wharf/contract'
import type { InputOf } from '@wharf/sdk'
import type { Column } from '../../../components/ResourceTable.tsx'
import { LocalTable } from '../../../components/table/LocalTable.tsx'
import { useFormat } from '../../../i18n/use-format.ts'
import { useMessages } from '../../../i18n/use-messages.ts'
import { messages as rolloutMessages } from '../messages.ts'
import { PlannedChange } from '../PlannedChange.tsx'
import { messages } from './messages.ts'
import { type PlanEntry, positionedPlan, summarizePlan } from './plan-summary.ts'
import type { usePlan } from './use-plan.ts'

interface PlanStepProps {
  readonly plan: ReturnType<typeof usePlan>
  /** The dry run as a call to copy. */
  readonly input: InputOf<typeof createRollout>
}

/** The third step: what a dry run would do on each host, and what blocks it. */
export function PlanStep({ plan, input }: PlanStepProps) {
  const t = useMessages(messages)
  const rollout = useMessages(rolloutMessages)
  const format = useFormat()
  const entries = plan.data
  const summary = entries && summarizePlan(entries)
  type Row = PlanEntry & { readonly position: number }
  const columns: Column<Row>[] = [
    { field: 'hostName', label: t.host, width: 170 },
    { field: 'wave', label: t.wave, isMeasure: true, width: 100 },
    {
      field: 'action',
      label: t.action,
      width: 190,
      cell: (one) => <PlannedChange target={one} />,
      choices: planActions,
    },
    { field: 'obstacle', label: t.obstacle, width: 300, lines: 2 },
    { field: 'bytes', label: t.bytes, isMeasure: true, width: 150, cell: ({ bytes }) => format.bytes(bytes) },
    { field: 'fromVersion', label: t.from, isOptional: true },
    { field: 'toVersion', label: t.to, isOptional: true },
  ]
  return (
    <SpaceBetween size="l">
      {summary && summary.obstacles > 0 ? (
        <Alert type="warning" header={t.obstacles(format.number(summary.obstacles))}>
          {t.obstaclesMean}
        </Alert>
      ) : null}
      {summary && summary.hosts === 0 ? <Alert type="warning">{t.noMatch}</Alert> : null}
      {summary ? (
        <Container header={<Header variant="h2">{t.summary}</Header>}>
          <KeyValuePairs
            columns={4}
            items={[
              { label: t.hosts, value: format.number(summary.hosts) },
              { label: t.waveSizes, value: summary.waves.map(format.number).join(' → ') || t.none },
              {
                label: t.actionsTitle,
                value:
                  planActions
                    .filter((action) => summary.actions[action] > 0)
                    .map((action) => `${rollout.actions[action]} ${format.number(summary.actions[action])}`)
                    .join(', ') || t.none,
              },
              { label: t.bytes, value: format.bytes(summary.bytes) },
            ]}
          />
        </Container>
      ) : null}
      <LocalTable<Row>
        isSection
        title={t.plan}
        records={entries && positionedPlan(entries)}
        error={plan.error}
        isFetching={plan.isFetching}
        refetch={() => void plan.refetch()}
        call={{ operation: createRollout, input: { ...input, dryRun: true } }}
        keyOf={({ hostUuid }) => hostUuid}
        columns={columns}
        path={['rollouts', 'create']}
        defaultSort="+position"
        textField="hostName"
        empty={t.noMatch}
      />
    </SpaceBetween>
  )
}
