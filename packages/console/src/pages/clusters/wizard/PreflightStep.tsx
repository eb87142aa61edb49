import Container from '@cloudscape-design/components/container'
import Header from '@cloudscape-design/components/header'
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs'
import SpaceBetween from '@cloudscape-design/components/space-between'
import StatusIndicator from '@cloudscape-design/components/status-indicator'
import { useWords } from '../../../words/words.ts'
import { ClusterDrawing } from '../detail/ClusterDrawing.tsx'
import { type ClusterForm, storageAddresses } from './cluster-form.ts'
import type { Check, Known } from './preflight.ts'
import { words } from './words.ts'

interface PreflightStepProps {
  readonly form: ClusterForm
  readonly checks: readonly Check[]
  readonly hosts: Known['hosts']
  readonly isAgain: boolean
}

export function PreflightStep({ form, checks, hosts, isAgain }: PreflightStepProps) {
  const say = useWords(words)
  const told = ({ name, values }: Check): string =>
    (say.checks[name] as (...all: readonly string[]) => string)(...values)
  const password = form.password !== '' ? say.asGiven : isAgain ? say.asBefore : say.madeUp
  return (
    <SpaceBetween size="l">
      <Container header={<Header variant="h2">{say.checked}</Header>}>
        <div className="preflight-checks">
          <SpaceBetween size="xs">
            {checks.map((check) => (
              <StatusIndicator key={`${check.name} ${check.values}`} type={check.level} wrapText>
                {told(check)}
              </StatusIndicator>
            ))}
          </SpaceBetween>
        </div>
      </Container>
      <Container header={<Header variant="h2">{say.review}</Header>}>
        <SpaceBetween size="m">
          <ClusterDrawing
            hosts={hosts}
            places={{
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
              ...(form.name === '' ? [] : [{ label: say.name, value: form.name }]),
              { label: say.gatewayNetworkCidr, value: form.gatewayNetworkCidr || form.publicNetworkCidr },
              { label: say.username, value: form.username || `admin (${say.standard})` },
              { label: say.password, value: password },
              { label: say.apiPort, value: form.apiPort || say.standard },
            ]}
          />
        </SpaceBetween>
      </Container>
    </SpaceBetween>
  )
}
