import Box from '@cloudscape-design/components/box'
import ContentLayout from '@cloudscape-design/components/content-layout'
import Header from '@cloudscape-design/components/header'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { createRollout } from '@wharf/contract'
import { NotAllowed } from '../../../components/NotAllowed.tsx'
import { useRefusal } from '../../../components/permission.ts'
import { useMessages } from '../../../i18n/use-messages.ts'
import { messages } from './messages.ts'
import { RolloutWizard } from './RolloutWizard.tsx'

/** `#/rollouts/create?release=<uuid>` starts with a release. */
export function CreateRollout({ search }: { search: URLSearchParams }) {
  const t = useMessages(messages)
  const refusal = useRefusal()(createRollout)
  if (refusal)
    return (
      <ContentLayout header={<Header variant="h1">{t.title}</Header>}>
        <NotAllowed refusal={refusal} />
      </ContentLayout>
    )
  return (
    <SpaceBetween size="s">
      {/* each step of a wizard has the h1 of the page */}
      <Box variant="h3" tagOverride="div" color="text-body-secondary" data-page-title>
        {t.title}
      </Box>
      <RolloutWizard releaseUuid={search.get('release') ?? ''} />
    </SpaceBetween>
  )
}
