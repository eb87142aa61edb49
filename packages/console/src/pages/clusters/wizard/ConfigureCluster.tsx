import Box from '@cloudscape-design/components/box'
import SpaceBetween from '@cloudscape-design/components/space-between'
import Spinner from '@cloudscape-design/components/spinner'
import { Failure } from '../../../parts/Failure.tsx'
import { useWords } from '../../../words/words.ts'
import { useConfiguration, usePlugin } from '../use-configuration.ts'
import { ClusterWizard } from './ClusterWizard.tsx'
import { emptyForm, formOf } from './cluster-form.ts'
import { words } from './words.ts'

/** Of a component that is known already: with what was tried last, or from the beginning. */
export function ConfigureCluster({ uuid }: { uuid: string }) {
  const say = useWords(words)
  const { plugin, error } = usePlugin(uuid)
  const { configuration, isPending } = useConfiguration(uuid)
  if (error) return <Failure error={error} />
  if (plugin === undefined || isPending) return <Spinner size="large" />
  const begin = configuration ? formOf(configuration) : { ...emptyForm, managementIp: plugin.managementIp ?? '' }
  return (
    <SpaceBetween size="s">
      {/* each step of a wizard is the heading of its page */}
      <Box variant="h3" tagOverride="div" color="text-body-secondary">
        {say.configureTitle(plugin.name ?? uuid)}
      </Box>
      <ClusterWizard pluginUuid={uuid} begin={begin} isAgain={configuration !== undefined} />
    </SpaceBetween>
  )
}
