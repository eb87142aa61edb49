import Alert from '@cloudscape-design/components/alert'
import { alertmanagerConfig, isLoopbackUrl } from '@wharf/sdk'
import { useWords } from '../../../words/words.ts'
import { OnceShown } from '../../clusters/detail/OnceShown.tsx'
import { words } from './words.ts'

interface PlatformSecretProps {
  readonly url: string
  readonly token: string
  readonly onDismiss: () => void
}

/** All that an Alertmanager needs to send here. */
export function PlatformSecret({ url, token, onDismiss }: PlatformSecretProps) {
  const say = useWords(words)
  return (
    <OnceShown
      values={[
        { label: say.url, text: url },
        { label: say.token, text: token },
        { label: say.config, text: alertmanagerConfig({ url, token }) },
      ]}
      onDismiss={onDismiss}
    >
      {isLoopbackUrl(url) ? <Alert type="warning">{say.loopback(new URL(url).origin)}</Alert> : null}
    </OnceShown>
  )
}
