import Container from '@cloudscape-design/components/container'
import ContentLayout from '@cloudscape-design/components/content-layout'
import Header from '@cloudscape-design/components/header'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { getThirdpartyPlatform, updateThirdpartyPlatform } from '@wharf/contract'
import { linkTo } from '../../../frame/route.ts'
import { Failure } from '../../../parts/Failure.tsx'
import { Gone } from '../../../parts/Gone.tsx'
import { isGone } from '../../../parts/is-gone.ts'
import { useAnswer, useOperation } from '../../../wharf/answers.ts'
import { useWords } from '../../../words/words.ts'
import { PlatformActions } from '../../clusters/alerts/PlatformActions.tsx'
import { PlatformFacts } from '../../clusters/alerts/PlatformFacts.tsx'
import { TemplateEditor } from '../../clusters/alerts/TemplateEditor.tsx'
import { words } from './words.ts'

export function PlatformDetail({ uuid }: { uuid: string }) {
  const say = useWords(words)
  const { data, error } = useAnswer(getThirdpartyPlatform, { uuid })
  const enabling = useOperation(updateThirdpartyPlatform)
  const platform = data?.inventories?.[0]
  if (isGone(error)) return <Gone text={say.gone} href={linkTo(['alerts', 'platforms'])} toList={say.toList} />
  if (error) return <Failure error={error} />
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
          {enabling.error ? <Failure error={enabling.error} /> : null}
          <Container>
            <PlatformFacts platform={platform} />
          </Container>
          <Container header={<Header variant="h2">{say.template}</Header>}>
            <TemplateEditor key={uuid} platform={platform} />
          </Container>
        </SpaceBetween>
      ) : null}
    </ContentLayout>
  )
}
