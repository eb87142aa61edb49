import Container from '@cloudscape-design/components/container'
import ContentLayout from '@cloudscape-design/components/content-layout'
import Header from '@cloudscape-design/components/header'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { getThirdpartyPlatform, updateThirdpartyPlatform } from '@wharf/contract'
import { linkTo } from '../../../browser/route.ts'
import { DeletedNotice } from '../../../components/DeletedNotice.tsx'
import { ErrorAlert } from '../../../components/ErrorAlert.tsx'
import { isNotFound } from '../../../components/is-not-found.ts'
import { useApiMutation, useApiQuery } from '../../../data/api-query.ts'
import { PlatformActions } from '../../../features/alert-platforms/PlatformActions.tsx'
import { PlatformFacts } from '../../../features/alert-platforms/PlatformFacts.tsx'
import { TemplateEditor } from '../../../features/alert-platforms/TemplateEditor.tsx'
import { useMessages } from '../../../i18n/messages.ts'
import { messages } from './messages.ts'

export function PlatformDetail({ uuid }: { uuid: string }) {
  const t = useMessages(messages)
  const { data, error } = useApiQuery(getThirdpartyPlatform, { uuid })
  const enabling = useApiMutation(updateThirdpartyPlatform)
  const platform = data?.inventories?.[0]
  if (isNotFound(error)) return <DeletedNotice text={t.gone} href={linkTo(['alerts', 'platforms'])} toList={t.toList} />
  if (error) return <ErrorAlert error={error} />
  return (
    <ContentLayout
      header={
        <Header
          variant="h1"
          description={platform?.description}
          actions={
            platform ? (
              <PlatformActions
                platform={platform}
                isEnabling={enabling.isPending}
                onEnable={() => enabling.mutate({ uuid, stateEvent: 'enable' })}
              />
            ) : null
          }
        >
          {platform?.name ?? uuid}
        </Header>
      }
    >
      {platform ? (
        <SpaceBetween size="l">
          {enabling.error ? <ErrorAlert error={enabling.error} /> : null}
          <Container>
            <PlatformFacts platform={platform} />
          </Container>
          <Container header={<Header variant="h2">{t.template}</Header>}>
            <TemplateEditor key={uuid} platform={platform} />
          </Container>
        </SpaceBetween>
      ) : null}
    </ContentLayout>
  )
}
