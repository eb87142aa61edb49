import Box from '@cloudscape-design/components/box'
import CopyToClipboard from '@cloudscape-design/components/copy-to-clipboard'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { renderSVG } from 'uqr'
import { messages as shared } from '../../components/messages.ts'
import { useMessages } from '../../i18n/use-messages.ts'
import { messages } from './messages.ts'

/** What an authenticator app needs, as a QR code and as text. */
export function AuthenticatorSecret({ secret, uri }: { secret: string; uri: string }) {
  const t = useMessages(messages)
  const { copy, copied, notCopied } = useMessages(shared)
  return (
    <SpaceBetween size="s">
      <Box>{t.scan}</Box>
      <img
        className="qr-code"
        alt={t.qrCode}
        width={180}
        height={180}
        src={`data:image/svg+xml,${encodeURIComponent(renderSVG(uri, { border: 3 }))}`}
      />
      <CopyToClipboard
        variant="inline"
        textToCopy={secret}
        textToDisplay={<span className="secret">{secret}</span>}
        copyButtonAriaLabel={`${copy}: ${t.secret}`}
        copySuccessText={copied}
        copyErrorText={notCopied}
      />
    </SpaceBetween>
  )
}
