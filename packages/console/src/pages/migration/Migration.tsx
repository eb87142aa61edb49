import ContentLayout from '@cloudscape-design/components/content-layout'
import Header from '@cloudscape-design/components/header'
import SpaceBetween from '@cloudscape-design/components/space-between'
import type { PageProps } from '../../frame/page-props.ts'
import { useWords } from '../../words/words.ts'
import { Images } from './Images.tsx'
import { VirtualMachines } from './VirtualMachines.tsx'
import './migration.css'
import { words } from './words.ts'

export default function Migration(_: PageProps) {
  const say = useWords(words)
  return (
    <ContentLayout
      header={
        <Header variant="h1" description={say.intro}>
          {say.title}
        </Header>
      }
    >
      <SpaceBetween size="l">
        <Images />
        <VirtualMachines />
      </SpaceBetween>
    </ContentLayout>
  )
}
