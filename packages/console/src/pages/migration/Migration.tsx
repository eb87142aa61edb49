import ContentLayout from '@cloudscape-design/components/content-layout'
import Header from '@cloudscape-design/components/header'
import SpaceBetween from '@cloudscape-design/components/space-between'
import type { Route } from '../../browser/route.ts'
import { useMessages } from '../../i18n/use-messages.ts'
import { Images } from './Images.tsx'
import { VirtualMachines } from './VirtualMachines.tsx'
import './migration.css'
import { messages } from './messages.ts'

export default function Migration({ search }: Route) {
  const t = useMessages(messages)
  return (
    <ContentLayout
      header={
        <Header variant="h1" description={t.intro}>
          {t.title}
        </Header>
      }
    >
      <SpaceBetween size="l">
        <Images />
        <VirtualMachines search={search} />
      </SpaceBetween>
    </ContentLayout>
  )
}
