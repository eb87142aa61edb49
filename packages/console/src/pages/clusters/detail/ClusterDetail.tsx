import Box from '@cloudscape-design/components/box'
import Container from '@cloudscape-design/components/container'
import Grid from '@cloudscape-design/components/grid'
import Header from '@cloudscape-design/components/header'
import { isActiveJob, queryApiJob, queryHost, querySoftwarePackage } from '@wharf/contract'
import { newestJobsOf } from '@wharf/sdk'
import { DetailPage } from '../../../components/DetailPage.tsx'
import { ErrorAlert } from '../../../components/ErrorAlert.tsx'
import { JobFailure } from '../../../components/job-failure/JobFailure.tsx'
import { UserTags } from '../../../components/user-tags/UserTags.tsx'
import { useApiQuery } from '../../../data/api-query.ts'
import { useMessages } from '../../../i18n/use-messages.ts'
import { messages as clusterMessages } from '../messages.ts'
import { useCluster, useConfiguration } from '../use-cluster.ts'
import { AlertPlatform } from './AlertPlatform.tsx'
import { ClusterDiagram } from './ClusterDiagram.tsx'
import { ClusterFacts } from './ClusterFacts.tsx'
import { ClusterJob } from './ClusterJob.tsx'
import { messages } from './messages.ts'
import { useClusterActions } from './use-cluster-actions.tsx'

export function ClusterDetail({ uuid }: { uuid: string }) {
  const t = useMessages(messages)
  const list = useMessages(clusterMessages)
  const { configuration, error: configurationError } = useConfiguration(uuid)
  const nodes = configuration ? [configuration.managementIp, ...configuration.otherManagementIp] : []
  const hosts = useApiQuery(queryHost, { q: [`address?=${nodes.join(',')}`] }, { enabled: nodes.length > 0 })
  const packages = useApiQuery(
    querySoftwarePackage,
    { q: [`uuid=${configuration?.softwarePackageUuid}`] },
    { enabled: configuration !== undefined },
  )
  const jobs = useApiQuery(queryApiJob, newestJobsOf(uuid))
  const job = jobs.data?.inventories?.[0]
  const isBusy = isActiveJob(job?.state)
  const software = configuration && packages.data?.inventories?.[0]
  const { actions, passwordDialog } = useClusterActions({ configuration, packageStatus: software?.status, isBusy })
  const error = configurationError ?? hosts.error ?? packages.error ?? jobs.error
  return (
    <DetailPage
      query={useCluster(uuid)}
      notFound={list.notFound}
      list={{ path: ['clusters'], label: list.toList }}
      title={({ name }) => name}
      actions={actions}
    >
      {(plugin) => (
        <>
          {error ? <ErrorAlert error={error} /> : null}
          {passwordDialog}
          {job && isBusy ? <ClusterJob job={job} /> : job ? <JobFailure job={job} /> : null}
          <Grid gridDefinition={[{ colspan: { default: 12, s: 6 } }, { colspan: { default: 12, s: 6 } }]}>
            <Container header={<Header variant="h2">{t.diagram}</Header>} fitHeight>
              {configuration ? (
                <ClusterDiagram
                  hosts={hosts.data?.inventories ?? []}
                  topology={{ ...configuration, nodes, storage: configuration.otherStorageIp }}
                />
              ) : configurationError ? null : (
                <Box color="text-body-secondary">{isBusy ? t.pendingNodes : t.notConfigured}</Box>
              )}
            </Container>
            <ClusterFacts plugin={plugin} configuration={configuration} software={software} />
          </Grid>
          <UserTags resourceUuid={uuid} resourceType="ClusterPlugin" list={['clusters']} />
          <AlertPlatform plugin={plugin} isBusy={isBusy} />
        </>
      )}
    </DetailPage>
  )
}
