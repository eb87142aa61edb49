import Box from '@cloudscape-design/components/box'
import Container from '@cloudscape-design/components/container'
import ContentLayout from '@cloudscape-design/components/content-layout'
import Grid from '@cloudscape-design/components/grid'
import Header from '@cloudscape-design/components/header'
import SpaceBetween from '@cloudscape-design/components/space-between'
import Spinner from '@cloudscape-design/components/spinner'
import { queryApiJob, queryHost, querySoftwarePackage } from '@wharf/contract'
import { ErrorAlert } from '../../../components/ErrorAlert.tsx'
import { useApiQuery } from '../../../data/api-query.ts'
import { useMessages } from '../../../i18n/messages.ts'
import { ClusterNotFound } from '../ClusterNotFound.tsx'
import { useConfiguration, usePlugin } from '../use-cluster.ts'
import { AlertPlatform } from './AlertPlatform.tsx'
import { ClusterActions } from './ClusterActions.tsx'
import { ClusterDiagram } from './ClusterDiagram.tsx'
import { ClusterFacts } from './ClusterFacts.tsx'
import { ClusterJob } from './ClusterJob.tsx'
import { messages } from './messages.ts'

const running: readonly string[] = ['Waiting', 'Running', 'Undoing']

export function ClusterDetail({ uuid }: { uuid: string }) {
  const t = useMessages(messages)
  const { plugin, isKnown, error } = usePlugin(uuid)
  const { configuration, error: unread } = useConfiguration(uuid)
  const nodes = configuration ? [configuration.managementIp, ...configuration.otherManagementIp] : []
  const hosts = useApiQuery(queryHost, { q: [`address?=${nodes.join(',')}`] }, { enabled: nodes.length > 0 })
  const software = useApiQuery(
    querySoftwarePackage,
    { q: [`uuid=${configuration?.softwarePackageUuid}`] },
    { enabled: configuration !== undefined },
  )
  const jobs = useApiQuery(queryApiJob, { q: [`subjectUuid=${uuid}`], sort: '-createDate', limit: 1 })
  if (error) return <ErrorAlert error={error} />
  if (!isKnown) return <Spinner size="large" />
  if (plugin === undefined) return <ClusterNotFound />
  const missing = unread ?? hosts.error ?? software.error ?? jobs.error
  const job = jobs.data?.inventories?.[0]
  const isBusy = running.includes(job?.state ?? '')
  const runs = configuration && software.data?.inventories?.[0]
  return (
    <ContentLayout
      header={
        <Header
          variant="h1"
          actions={
            <ClusterActions plugin={plugin} configuration={configuration} status={runs?.status} isBusy={isBusy} />
          }
        >
          {plugin.name}
        </Header>
      }
    >
      <SpaceBetween size="l">
        {missing ? <ErrorAlert error={missing} /> : null}
        {job && job.state !== 'Succeeded' ? <ClusterJob job={job} /> : null}
        <Grid gridDefinition={[{ colspan: { default: 12, s: 6 } }, { colspan: { default: 12, s: 6 } }]}>
          <Container header={<Header variant="h2">{t.drawing}</Header>} fitHeight>
            {configuration ? (
              <ClusterDiagram
                hosts={hosts.data?.inventories ?? []}
                places={{ ...configuration, nodes, storage: configuration.otherStorageIp }}
              />
            ) : unread ? null : (
              <Box color="text-body-secondary">{isBusy ? t.notYetKnown : t.notConfigured}</Box>
            )}
          </Container>
          <ClusterFacts plugin={plugin} configuration={configuration} software={runs} />
        </Grid>
        <AlertPlatform plugin={plugin} isBusy={isBusy} />
      </SpaceBetween>
    </ContentLayout>
  )
}
