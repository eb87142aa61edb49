import ColumnLayout from '@cloudscape-design/components/column-layout'
import Container from '@cloudscape-design/components/container'
import ExpandableSection from '@cloudscape-design/components/expandable-section'
import Header from '@cloudscape-design/components/header'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useMessages } from '../../../i18n/use-messages.ts'
import { Field, type StepProps } from './Field.tsx'
import { messages } from './messages.ts'
import { offeredNodes } from './offered-nodes.ts'
import type { WizardData } from './preflight.ts'

interface NetworkStepProps extends StepProps {
  readonly hosts: WizardData['hosts']
  readonly packageHostUuid: string | null | undefined
  /** The cluster was configured before, so it has a password. */
  readonly isReconfiguration: boolean
}

export function NetworkStep({ hosts, packageHostUuid, isReconfiguration, ...step }: NetworkStepProps) {
  const t = useMessages(messages)
  const optionsOf = (field: Parameters<typeof offeredNodes>[0]) =>
    offeredNodes(field, { form: step.form, hosts, packageHostUuid }).map(({ address, name }) => ({
      value: address,
      description: name,
    }))
  return (
    <SpaceBetween size="l">
      <Container header={<Header variant="h2">{t.nodes}</Header>}>
        <ColumnLayout columns={3}>
          <Field
            {...step}
            field="managementIp"
            label={t.first}
            hint={t.firstHelp}
            example="10.0.0.11"
            options={optionsOf('managementIp')}
          />
          <Field {...step} field="second" label={t.second} example="10.0.0.12" options={optionsOf('second')} />
          <Field {...step} field="third" label={t.third} example="10.0.0.13" options={optionsOf('third')} />
        </ColumnLayout>
      </Container>
      <Container header={<Header variant="h2">{t.networks}</Header>}>
        <ColumnLayout columns={3}>
          <Field
            {...step}
            field="managementNetworkCidr"
            label={t.managementNetworkCidr}
            hint={t.managementNetworkHelp}
            example="10.0.0.0/24"
          />
          <Field
            {...step}
            field="publicNetworkCidr"
            label={t.publicNetworkCidr}
            hint={t.publicNetworkHelp}
            example="10.1.0.0/24"
          />
          <Field
            {...step}
            field="clusterNetworkCidr"
            label={t.clusterNetworkCidr}
            hint={t.clusterNetworkHelp}
            example="10.2.0.0/24"
          />
        </ColumnLayout>
      </Container>
      <ExpandableSection variant="container" headerText={t.more}>
        <SpaceBetween size="m">
          <Field
            {...step}
            field="gatewayNetworkCidr"
            label={t.gatewayNetworkCidr}
            hint={t.gatewayNetworkHelp}
            isOptional
          />
          <Field
            {...step}
            field="otherStorageIp"
            label={t.otherStorageIp}
            hint={t.otherStorageHelp}
            isOptional
            isLong
          />
          <Field {...step} field="username" label={t.username} hint={t.usernameHelp} isOptional />
          <Field
            {...step}
            field="password"
            label={t.password}
            hint={isReconfiguration ? t.passwordAgain : t.passwordHelp}
            type="password"
            isOptional
          />
        </SpaceBetween>
      </ExpandableSection>
    </SpaceBetween>
  )
}
