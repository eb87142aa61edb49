import Container from '@cloudscape-design/components/container'
import ContentLayout from '@cloudscape-design/components/content-layout'
import FormField from '@cloudscape-design/components/form-field'
import Header from '@cloudscape-design/components/header'
import SpaceBetween from '@cloudscape-design/components/space-between'
import Textarea from '@cloudscape-design/components/textarea'
import { getElaborations } from '@wharf/contract'
import { useDeferredValue } from 'react'
import type { Route } from '../../browser/route.ts'
import { linkTo, navigate } from '../../browser/route.ts'
import { Elaborations } from '../../components/Elaborations.tsx'
import { elaborationQuery } from '../../components/elaboration-query.ts'
import { useApiQuery } from '../../data/api-query.ts'
import { useMessages } from '../../i18n/use-messages.ts'
import { messages } from './messages.ts'

/** The text is part of the URL, so that an explanation can be shared. */
export default function Explain({ search }: Route) {
  const t = useMessages(messages)
  const text = search.get('text') ?? ''
  const searchText = useDeferredValue(text.trim())
  const { data, error } = useApiQuery(getElaborations, elaborationQuery(searchText), { enabled: searchText !== '' })
  return (
    <ContentLayout
      header={
        <Header variant="h1" description={t.intro}>
          {t.title}
        </Header>
      }
    >
      <SpaceBetween size="l">
        <Container>
          <FormField label={t.text} stretch>
            <Textarea
              value={text}
              rows={5}
              autoFocus
              placeholder={t.example}
              onChange={({ detail }) => navigate(linkTo(['explain'], { text: detail.value }), { replace: true })}
            />
          </FormField>
        </Container>
        {searchText === '' ? null : (
          <Container header={<Header variant="h2">{t.found}</Header>}>
            <Elaborations
              contents={data?.contents ?? []}
              isOfText={'regex' in elaborationQuery(searchText)}
              error={error}
            />
          </Container>
        )}
      </SpaceBetween>
    </ContentLayout>
  )
}
