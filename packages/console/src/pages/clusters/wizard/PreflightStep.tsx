import Container from '@cloudscape-design/components/container'
import Header from '@cloudscape-design/components/header'
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs'
import SpaceBetween from '@cloudscape-design/components/space-between'
import StatusIndicator from '@cloudscape-design/components/status-indicator'
import { useStatusNames } from '../../../components/statuses/use-status-names.ts'
import { useMessages } from '../../../i18n/use-messages.ts'
import { ClusterDiagram } from '../detail/ClusterDiagram.tsx'
import { type ClusterForm, storageAddresses } from './cluster-form.ts'
import { messages } from './messages.ts'
import type { Check, WizardData } from './preflight.ts'

interface PreflightStepProps {
  readonly form: ClusterForm
  readonly checks: readonly Check[]
  readonly hosts: WizardData['hosts']
  readonly isReconfiguration: boolean
}

export function PreflightStep({ form, checks, hosts, isReconfiguration }: PreflightStepProps) {
  const t = useMessages(messages)
  const nameOf = useStatusNames()
  const checkText = ({ name, values, status }: Check): string =>
    (t.checks[name] as (...all: readonly string[]) => string)(
      ...values,
      ...(status === undefined ? [] : [nameOf(status)]),
    )
  const password = form.password !== '' ? t.asEntered : isReconfiguration ? t.unchanged : t.generated
  return (
    <SpaceBetween size="l">
      <Container header={<Header variant="h2">{t.checked}</Header>}>
        <div className="preflight-checks">
          <SpaceBetween size="xs">
            {checks.map((check) => (
              <StatusIndicator key={`${check.name} ${check.values}`} type={check.level} wrapText>
                {checkText(check)}
              </StatusIndicator>
            ))}
          </SpaceBetween>
        </div>
      </Container>
      <Container header={<Header variant="h2">{t.review}</Header>}>
        <SpaceBetween size="m">
          <ClusterDiagram
            hosts={hosts}
            topology={{
              managementNetworkCidr: form.managementNetworkCidr.trim(),
              publicNetworkCidr: form.publicNetworkCidr.trim(),
              clusterNetworkCidr: form.clusterNetworkCidr.trim(),
              nodes: [form.managementIp, form.second, form.third].map((text) => text.trim()),
              storage: storageAddresses(form.otherStorageIp),
            }}
          />
          <KeyValuePairs
            columns={4}
            items={[
              ...(form.name === '' ? [] : [{ label: t.name, value: form.name }]),
              { label: t.gatewayNetworkCidr, value: form.gatewayNetworkCidr || form.publicNetworkCidr },
              { label: t.username, value: form.username || `admin (${t.default})` },
              { label: t.password, value: password },
              { label: t.apiPort, value: form.apiPort || t.default },
            ]}
          />
        </SpaceBetween>
      </Container>
    </SpaceBetween>
  )
}
