import Box from '@cloudscape-design/components/box'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { addClusterPlugin } from '@wharf/contract'
import { useRefusal } from '../../../parts/permission.ts'
import { useWords } from '../../../words/words.ts'
import { ClusterWizard } from './ClusterWizard.tsx'
import { emptyForm } from './cluster-form.ts'
import { RefusedWizard } from './RefusedWizard.tsx'
import { words } from './words.ts'

export function AddCluster() {
  const say = useWords(words)
  const refusal = useRefusal()(addClusterPlugin)
  if (refusal) return <RefusedWizard title={say.addTitle} refusal={refusal} />
  return (
    <SpaceBetween size="s">
      {/* each step of a wizard is the heading of its page */}
      <Box variant="h3" tagOverride="div" color="text-body-secondary">
        {say.addTitle}
      </Box>
      <ClusterWizard begin={emptyForm} />
    </SpaceBetween>
  )
}
