import ContentLayout from '@cloudscape-design/components/content-layout'
import Grid from '@cloudscape-design/components/grid'
import Header from '@cloudscape-design/components/header'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useMessages } from '../../i18n/use-messages.ts'
import { AlertTile } from './AlertTile.tsx'
import { FirstSteps } from './FirstSteps.tsx'
import { HostTile } from './HostTile.tsx'
import { JobTile } from './JobTile.tsx'
import { NodeTile } from './NodeTile.tsx'
import './overview.css'
import { messages } from './messages.ts'
import { PackageTile } from './PackageTile.tsx'
import { StorageTile } from './StorageTile.tsx'

/** Breakpoints of the content width for three, two or one column. */
const third = { colspan: { default: 12, xs: 6, s: 4 } }
const jobs = { colspan: { default: 12, s: 4 } }
const storage = { colspan: { default: 12, s: 8 } }
const nodes = { colspan: { default: 12, s: 4 } }

export default function Overview() {
  const t = useMessages(messages)
  return (
    <ContentLayout header={<Header variant="h1">{t.title}</Header>}>
      <SpaceBetween size="l">
        <FirstSteps />
        <Grid gridDefinition={[third, third, jobs, storage, nodes, { colspan: 12 }]}>
          <HostTile />
          <PackageTile />
          <JobTile />
          <StorageTile />
          <NodeTile />
          <AlertTile />
        </Grid>
      </SpaceBetween>
    </ContentLayout>
  )
}
