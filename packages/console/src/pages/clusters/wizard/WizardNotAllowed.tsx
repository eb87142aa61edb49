import ContentLayout from '@cloudscape-design/components/content-layout'
import Header from '@cloudscape-design/components/header'
import { NotAllowed } from '../../../components/NotAllowed.tsx'
import type { Refusal } from '../../../components/permission.ts'

/** Whoever may not form a cluster would fill in everything for nothing. */
export const WizardNotAllowed = ({ title, refusal }: { title: string; refusal: Refusal }) => (
  <ContentLayout header={<Header variant="h1">{title}</Header>}>
    <NotAllowed refusal={refusal} />
  </ContentLayout>
)
