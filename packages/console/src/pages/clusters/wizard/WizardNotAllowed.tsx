import ContentLayout from '@cloudscape-design/components/content-layout'
import Header from '@cloudscape-design/components/header'
import { NotAllowed } from '../../../components/NotAllowed.tsx'
import type { Refusal } from '../../../components/permission.ts'

/** Replaces the wizard for roles that may not create a cluster. */
export const WizardNotAllowed = ({ title, refusal }: { title: string; refusal: Refusal }) => (
  <ContentLayout header={<Header variant="h1">{title}</Header>}>
    <NotAllowed refusal={refusal} />
  </ContentLayout>
)
