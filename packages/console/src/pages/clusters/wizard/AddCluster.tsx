import Box from '@cloudscape-design/components/box'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { addClusterPlugin } from '@wharf/contract'
import { useRefusal } from '../../../components/permission.ts'
import { useMessages } from '../../../i18n/use-messages.ts'
import { ClusterWizard } from './ClusterWizard.tsx'
import { emptyForm } from './cluster-form.ts'
import { messages } from './messages.ts'
import { WizardNotAllowed } from './WizardNotAllowed.tsx'

export function AddCluster() {
  const t = useMessages(messages)
  const refusal = useRefusal()(addClusterPlugin)
  if (refusal) return <WizardNotAllowed title={t.addTitle} refusal={refusal} />
  return (
    <SpaceBetween size="s">
      {/* each step of a wizard has the h1 of the page */}
      <Box variant="h3" tagOverride="div" color="text-body-secondary" data-page-title>
        {t.addTitle}
      </Box>
      <ClusterWizard initialForm={emptyForm} />
    </SpaceBetween>
  )
}
