import Container from '@cloudscape-design/components/container'
import Header from '@cloudscape-design/components/header'
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs'
import Link from '@cloudscape-design/components/link'
import SpaceBetween from '@cloudscape-design/components/space-between'
import type { queryClusterPlugin, querySoftwarePackage } from '@wharf/contract'
import { linkTo } from '../../../frame/route.ts'
import type { RecordOf } from '../../../parts/ResourceTable.tsx'
import { Status } from '../../../parts/Status.tsx'
import { When } from '../../../parts/When.tsx'
import { useWords } from '../../../words/words.ts'
import type { Configuration } from '../configuration.ts'
import { words } from './words.ts'

interface ClusterFactsProps {
  readonly plugin: RecordOf<typeof queryClusterPlugin>
  readonly configuration: Configuration | undefined
  readonly software: RecordOf<typeof querySoftwarePackage> | undefined
}

export function ClusterFacts({ plugin, configuration, software }: ClusterFactsProps) {
  const say = useWords(words)
  return (
    <Container header={<Header variant="h2">{say.facts}</Header>} fitHeight>
      <KeyValuePairs
        columns={2}
        items={[
          { label: say.managementIp, value: plugin.managementIp ?? '–' },
          { label: say.apiPort, value: plugin.apiPort ?? '–' },
          ...(configuration
            ? [
                {
                  label: say.software,
                  value: (
                    <SpaceBetween size="xxs">
                      <Link href={linkTo(['packages', configuration.softwarePackageUuid])}>
                        {software?.name ?? configuration.softwarePackageUuid}
                      </Link>
                      {software ? <Status value={software.status} /> : null}
                    </SpaceBetween>
                  ),
                },
                { label: say.username, value: configuration.username },
                { label: say.gateway, value: configuration.gatewayNetworkCidr },
              ]
            : []),
          { label: say.created, value: <When time={plugin.createDate} /> },
          { label: say.changed, value: <When time={plugin.lastOpDate} /> },
        ]}
      />
    </Container>
  )
}
