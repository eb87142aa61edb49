import Box from '@cloudscape-design/components/box'
import SpaceBetween from '@cloudscape-design/components/space-between'
import Spinner from '@cloudscape-design/components/spinner'
import { updateClusterConfig } from '@wharf/contract'
import { Failure } from '../../../parts/Failure.tsx'
import { useRefusal } from '../../../parts/permission.ts'
import { useWords } from '../../../words/words.ts'
import { NoCluster } from '../NoCluster.tsx'
import { useConfiguration, usePlugin } from '../use-configuration.ts'
import { ClusterWizard } from './ClusterWizard.tsx'
import { emptyForm, formOf } from './cluster-form.ts'
import { RefusedWizard } from './RefusedWizard.tsx'
import { words } from './words.ts'

/** Of a component that is known already: with what was tried last, or from the beginning. */
export function ConfigureCluster({ uuid }: { uuid: string }) {
  const say = useWords(words)
  const refusal = useRefusal()(updateClusterConfig)
  const { plugin, isKnown, error } = usePlugin(uuid)
  const { configuration, isPending, error: unread } = useConfiguration(uuid)
  if (error ?? unread) return <Failure error={error ?? unread} />
  if (!isKnown || isPending) return <Spinner size="large" />
  if (plugin === undefined) return <NoCluster />
  const title = say.configureTitle(plugin.name ?? uuid)
  if (refusal) return <RefusedWizard title={title} refusal={refusal} />
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
