import Box from '@cloudscape-design/components/box'
import SpaceBetween from '@cloudscape-design/components/space-between'
import Spinner from '@cloudscape-design/components/spinner'
import { updateClusterConfig } from '@wharf/contract'
import { ErrorAlert } from '../../../components/ErrorAlert.tsx'
import { useRefusal } from '../../../components/permission.ts'
import { useMessages } from '../../../i18n/messages.ts'
import { ClusterNotFound } from '../ClusterNotFound.tsx'
import { useConfiguration, usePlugin } from '../use-cluster.ts'
import { ClusterWizard } from './ClusterWizard.tsx'
import { emptyForm, formOf } from './cluster-form.ts'
import { messages } from './messages.ts'
import { WizardNotAllowed } from './WizardNotAllowed.tsx'

/** Of a component that is known already: with what was tried last, or from the beginning. */
export function ConfigureCluster({ uuid }: { uuid: string }) {
  const t = useMessages(messages)
  const refusal = useRefusal()(updateClusterConfig)
  const { plugin, isKnown, error } = usePlugin(uuid)
  const { configuration, isPending, error: unread } = useConfiguration(uuid)
  if (error ?? unread) return <ErrorAlert error={error ?? unread} />
  if (!isKnown || isPending) return <Spinner size="large" />
  if (plugin === undefined) return <ClusterNotFound />
  const title = t.configureTitle(plugin.name ?? uuid)
  if (refusal) return <WizardNotAllowed title={title} refusal={refusal} />
  const begin = configuration ? formOf(configuration) : { ...emptyForm, managementIp: plugin.managementIp ?? '' }
  return (
    <SpaceBetween size="s">
      {/* each step of a wizard is the heading of its page */}
      <Box variant="h3" tagOverride="div" color="text-body-secondary">
        {title}
      </Box>
      <ClusterWizard pluginUuid={uuid} begin={begin} isAgain={configuration !== undefined} />
    </SpaceBetween>
  )
}
