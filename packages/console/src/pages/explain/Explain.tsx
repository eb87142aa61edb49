import Container from '@cloudscape-design/components/container'
import ContentLayout from '@cloudscape-design/components/content-layout'
import FormField from '@cloudscape-design/components/form-field'
import Header from '@cloudscape-design/components/header'
import SpaceBetween from '@cloudscape-design/components/space-between'
import Textarea from '@cloudscape-design/components/textarea'
import { getElaborations } from '@wharf/contract'
import { useDeferredValue } from 'react'
import type { PageProps } from '../../frame/page-props.ts'
import { go, linkTo } from '../../frame/route.ts'
import { Elaborations } from '../../parts/Elaborations.tsx'
import { lookUp } from '../../parts/look-up.ts'
import { useAnswer } from '../../wharf/answers.ts'
import { useWords } from '../../words/words.ts'
import { words } from './words.ts'

/** The text stands in the address, so that an explanation can be sent to somebody. */
export default function Explain({ search }: PageProps) {
  const say = useWords(words)
  const text = search.get('text') ?? ''
  const asked = useDeferredValue(text.trim())
  const { data, error } = useAnswer(getElaborations, lookUp(asked), { enabled: asked !== '' })
  return (
    <ContentLayout
      header={
        <Header variant="h1" description={say.intro}>
          {say.title}
        </Header>
      }
    >
      <SpaceBetween size="l">
        <Container>
          <FormField label={say.text} stretch>
            <Textarea
              value={text}
              rows={5}
              autoFocus
              placeholder={say.example}
              onChange={({ detail }) => go(linkTo(['explain'], { text: detail.value }), { replace: true })}
            />
          </FormField>
        </Container>
        {asked === '' ? null : (
          <Container header={<Header variant="h2">{say.found}</Header>}>
            <Elaborations contents={data?.contents ?? []} isOfText={'regex' in lookUp(asked)} error={error} />
          </Container>
        )}
      </SpaceBetween>
    </ContentLayout>
  )
}
