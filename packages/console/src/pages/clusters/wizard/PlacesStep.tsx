import ColumnLayout from '@cloudscape-design/components/column-layout'
import Container from '@cloudscape-design/components/container'
import ExpandableSection from '@cloudscape-design/components/expandable-section'
import Header from '@cloudscape-design/components/header'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useWords } from '../../../words/words.ts'
import { Field, type StepProps } from './Field.tsx'
import type { Known } from './preflight.ts'
import { words } from './words.ts'

interface PlacesStepProps extends StepProps {
  readonly hosts: Known['hosts']
  /** It was configured before, so a password is there. */
  readonly isAgain: boolean
}

export function PlacesStep({ hosts, isAgain, ...step }: PlacesStepProps) {
  const say = useWords(words)
  const options = hosts
    .filter(({ driver }) => driver === 'ssh')
    .map(({ address, name, status }) => ({ value: address, description: `${name} · ${status}` }))
  return (
    <SpaceBetween size="l">
      <Container header={<Header variant="h2">{say.nodes}</Header>}>
        <ColumnLayout columns={3}>
          <Field
            {...step}
            field="managementIp"
            label={say.first}
            means={say.firstMeans}
            example="10.0.0.11"
            options={options}
          />
          <Field {...step} field="second" label={say.second} example="10.0.0.12" options={options} />
          <Field {...step} field="third" label={say.third} example="10.0.0.13" options={options} />
        </ColumnLayout>
      </Container>
      <Container header={<Header variant="h2">{say.networks}</Header>}>
        <ColumnLayout columns={3}>
          <Field
            {...step}
            field="managementNetworkCidr"
            label={say.managementNetworkCidr}
            means={say.managementNetworkMeans}
            example="10.0.0.0/24"
          />
          <Field
            {...step}
            field="publicNetworkCidr"
            label={say.publicNetworkCidr}
            means={say.publicNetworkMeans}
            example="10.1.0.0/24"
          />
          <Field
            {...step}
            field="clusterNetworkCidr"
            label={say.clusterNetworkCidr}
            means={say.clusterNetworkMeans}
            example="10.2.0.0/24"
          />
        </ColumnLayout>
      </Container>
      <ExpandableSection variant="container" headerText={say.more}>
        <SpaceBetween size="m">
          <Field
            {...step}
            field="gatewayNetworkCidr"
            label={say.gatewayNetworkCidr}
            means={say.gatewayNetworkMeans}
            isOptional
          />
          <Field
            {...step}
            field="otherStorageIp"
            label={say.otherStorageIp}
            means={say.otherStorageMeans}
            isOptional
            isLong
          />
          <Field {...step} field="username" label={say.username} means={say.usernameMeans} isOptional />
          <Field
            {...step}
            field="password"
            label={say.password}
            means={isAgain ? say.passwordAgain : say.passwordMeans}
            type="password"
            isOptional
          />
        </SpaceBetween>
      </ExpandableSection>
    </SpaceBetween>
  )
}
