import Container from '@cloudscape-design/components/container'
import Header from '@cloudscape-design/components/header'
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs'
import Link from '@cloudscape-design/components/link'
import SpaceBetween from '@cloudscape-design/components/space-between'
import type { queryClusterPlugin, querySoftwarePackage, TaggedClusterConfiguration } from '@wharf/contract'
import { linkTo } from '../../../browser/route.ts'
import { PackageStatus } from '../../../components/package-status/PackageStatus.tsx'
import { RelativeTime } from '../../../components/RelativeTime.tsx'
import type { RecordOf } from '../../../components/ResourceTable.tsx'
import { useMessages } from '../../../i18n/use-messages.ts'
import { messages } from './messages.ts'

interface ClusterFactsProps {
  readonly plugin: RecordOf<typeof queryClusterPlugin>
  readonly configuration: TaggedClusterConfiguration | undefined
  readonly software: RecordOf<typeof querySoftwarePackage> | undefined
}

export function ClusterFacts({ plugin, configuration, software }: ClusterFactsProps) {
  const t = useMessages(messages)
  return (
    <Container header={<Header variant="h2">{t.facts}</Header>} fitHeight>
      <KeyValuePairs
        columns={2}
        items={[
          { label: t.managementIp, value: plugin.managementIp ?? '–' },
          { label: t.apiPort, value: plugin.apiPort ?? '–' },
          ...(configuration
            ? [
                {
                  label: t.software,
                  value: (
                    <SpaceBetween size="xxs">
                      <Link href={linkTo(['packages', configuration.softwarePackageUuid])}>
                        {software?.name ?? configuration.softwarePackageUuid}
                      </Link>
                      {software ? <PackageStatus uuid={software.uuid ?? ''} status={software.status} /> : null}
                    </SpaceBetween>
                  ),
                },
                { label: t.username, value: configuration.username },
                { label: t.gateway, value: configuration.gatewayNetworkCidr },
              ]
            : []),
          { label: t.created, value: <RelativeTime time={plugin.createDate} /> },
          { label: t.changed, value: <RelativeTime time={plugin.lastOpDate} /> },
        ]}
      />
    </Container>
  )
}
