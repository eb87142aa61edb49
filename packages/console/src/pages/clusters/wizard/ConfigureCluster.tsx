import Box from '@cloudscape-design/components/box'
import SpaceBetween from '@cloudscape-design/components/space-between'
import Spinner from '@cloudscape-design/components/spinner'
import { updateClusterConfig } from '@wharf/contract'
import { linkTo } from '../../../browser/route.ts'
import { DeletedNotice } from '../../../components/DeletedNotice.tsx'
import { ErrorAlert } from '../../../components/ErrorAlert.tsx'
import { useRefusal } from '../../../components/permission.ts'
import { recordState } from '../../../components/record-state.ts'
import { useMessages } from '../../../i18n/use-messages.ts'
import { messages as clusterMessages } from '../messages.ts'
import { useCluster, useConfiguration } from '../use-cluster.ts'
import { ClusterWizard } from './ClusterWizard.tsx'
import { emptyForm, formOf } from './cluster-form.ts'
import { messages } from './messages.ts'
import { WizardNotAllowed } from './WizardNotAllowed.tsx'

/** Configures an existing cluster, starting with its last configuration. */
export function ConfigureCluster({ uuid }: { uuid: string }) {
  const t = useMessages(messages)
  const refusal = useRefusal()(updateClusterConfig)
  const list = useMessages(clusterMessages)
  const state = recordState(useCluster(uuid))
  const { configuration, isPending, error } = useConfiguration(uuid)
  if (state.kind === 'failed') return <ErrorAlert error={state.error} />
  if (error) return <ErrorAlert error={error} />
  if (state.kind === 'missing')
    return <DeletedNotice text={list.notFound} href={linkTo(['clusters'])} toList={list.toList} />
  if (state.kind === 'loading' || isPending) return <Spinner size="large" />
  const plugin = state.record
  const title = t.configureTitle(plugin.name ?? uuid)
  if (refusal) return <WizardNotAllowed title={title} refusal={refusal} />
  const initialForm = configuration ? formOf(configuration) : { ...emptyForm, managementIp: plugin.managementIp ?? '' }
  return (
    <SpaceBetween size="s">
      {/* each step of a wizard has the h1 of the page */}
      <Box variant="h3" tagOverride="div" color="text-body-secondary" data-page-title>
        {title}
      </Box>
      <ClusterWizard pluginUuid={uuid} initialForm={initialForm} isReconfiguration={configuration !== undefined} />
    </SpaceBetween>
  )
}
