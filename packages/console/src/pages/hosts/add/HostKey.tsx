import Box from '@cloudscape-design/components/box'
import Button from '@cloudscape-design/components/button'
import Container from '@cloudscape-design/components/container'
import CopyToClipboard from '@cloudscape-design/components/copy-to-clipboard'
import FormField from '@cloudscape-design/components/form-field'
import Header from '@cloudscape-design/components/header'
import RadioGroup from '@cloudscape-design/components/radio-group'
import SpaceBetween from '@cloudscape-design/components/space-between'
import StatusIndicator from '@cloudscape-design/components/status-indicator'
import { useMessages } from '../../../i18n/use-messages.ts'
import { messages } from './messages.ts'
import type { OfferedKey } from './use-host-keys.ts'

interface HostKeyProps {
  readonly address: string
  readonly shown: readonly OfferedKey[]
  readonly chosen: string | undefined
  readonly isLoading: boolean
  readonly canLoad: boolean
  readonly onChoose: (fingerprint: string) => void
  readonly onLoad: () => void
}

/** Prints the fingerprints of all host keys. */
const compareCommand = 'for k in /etc/ssh/ssh_host_*_key.pub; do ssh-keygen -lf $k; done'

/** The offered host keys, to compare before trusting one. */
export function HostKey({ address, shown, chosen, isLoading, canLoad, onChoose, onLoad }: HostKeyProps) {
  const t = useMessages(messages)
  const copy = { copyButtonAriaLabel: t.copy, copySuccessText: t.copied, copyErrorText: t.notCopied }
  return (
    <Container
      header={
        <Header
          variant="h2"
          description={t.hostKeyIntro}
          actions={
            shown.length > 0 ? (
              <Button formAction="none" loading={isLoading} disabled={!canLoad} onClick={onLoad}>
                {t.getKeyAgain}
              </Button>
            ) : null
          }
        >
          {t.hostKey}
        </Header>
      }
    >
      <div aria-live="polite">
        {isLoading ? <StatusIndicator type="loading">{t.gettingKey(address)}</StatusIndicator> : null}
        {!isLoading && shown.length > 0 ? (
          <SpaceBetween size="s">
            <FormField label={shown.length > 1 ? t.offeredKeys : t.offeredKey} stretch>
              <RadioGroup
                value={chosen ?? ''}
                onChange={({ detail }) => onChoose(detail.value)}
                items={shown.map(({ type, fingerprint }) => ({
                  value: fingerprint,
                  label: <span className="fingerprint">{fingerprint}</span>,
                  description: type,
                }))}
              />
            </FormField>
            <Box>
              {t.compare}{' '}
              <CopyToClipboard
                variant="inline"
                textToCopy={compareCommand}
                textToDisplay={<code className="fingerprint">{compareCommand}</code>}
                {...copy}
              />
            </Box>
            <Box variant="small" color="text-body-secondary">
              {t.notTrustedYet}
            </Box>
          </SpaceBetween>
        ) : null}
      </div>
    </Container>
  )
}
