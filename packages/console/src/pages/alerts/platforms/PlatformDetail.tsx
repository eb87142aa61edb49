import Container from '@cloudscape-design/components/container'
import Header from '@cloudscape-design/components/header'
import { getThirdpartyPlatform } from '@wharf/contract'
import { DetailPage } from '../../../components/DetailPage.tsx'
import { useApiQuery } from '../../../data/api-query.ts'
import { PlatformFacts } from '../../../features/alert-platforms/PlatformFacts.tsx'
import { TemplateEditor } from '../../../features/alert-platforms/TemplateEditor.tsx'
import { usePlatformActions } from '../../../features/alert-platforms/use-platform-actions.tsx'
import { useMessages } from '../../../i18n/use-messages.ts'
import { messages } from './messages.ts'

export function PlatformDetail({ uuid }: { uuid: string }) {
  const t = useMessages(messages)
  const { actions, tokenDialog } = usePlatformActions()
  return (
    <DetailPage
      query={useApiQuery(getThirdpartyPlatform, { uuid })}
      notFound={t.notFound}
      list={{ path: ['alerts', 'platforms'], label: t.toList }}
      title={({ name }) => name}
      description={({ description }) => description}
      actions={actions}
    >
      {(platform) => (
        <>
          <Container>
            <PlatformFacts platform={platform} />
          </Container>
          <Container header={<Header variant="h2">{t.template}</Header>}>
            <TemplateEditor key={uuid} platform={platform} />
          </Container>
          {tokenDialog}
        </>
      )}
    </DetailPage>
  )
}
