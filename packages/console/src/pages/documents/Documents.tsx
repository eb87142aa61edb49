import Container from '@cloudscape-design/components/container'
import ContentLayout from '@cloudscape-design/components/content-layout'
import Header from '@cloudscape-design/components/header'
import Link from '@cloudscape-design/components/link'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { linkTo, type Route } from '../../browser/route.ts'
import { DeletedNotice } from '../../components/DeletedNotice.tsx'
import { useMessages } from '../../i18n/use-messages.ts'
import { Document } from './Document.tsx'
import { documentLink } from './document-link.ts'
import { documentNames, messages } from './messages.ts'

export default function Documents({ path: [requested], search }: Route) {
  const t = useMessages(messages)
  const name = documentNames.find((known) => known === requested)
  if (name !== undefined) return <Document key={name} name={name} section={search.get('section') ?? undefined} />
  if (requested !== undefined) return <DeletedNotice text={t.notFound} href={linkTo(['documents'])} toList={t.toList} />
  return (
    <ContentLayout
      header={
        <Header variant="h1" description={t.intro}>
          {t.title}
        </Header>
      }
    >
      <Container>
        <SpaceBetween size="s">
          {documentNames.map((one) => (
            <Link key={one} href={documentLink(one)}>
              {t.titles[one]}
            </Link>
          ))}
        </SpaceBetween>
      </Container>
    </ContentLayout>
  )
}
