import CopyToClipboard from '@cloudscape-design/components/copy-to-clipboard'
import { useMessages } from '../i18n/use-messages.ts'
import { messages } from './messages.ts'

/** A value of a record with a button that copies it. */
export function CopiedText({ text }: { text: string | null }) {
  const t = useMessages(messages)
  return text ? (
    <span className="copied-text">
      <CopyToClipboard
        variant="inline"
        textToCopy={text}
        copyButtonAriaLabel={`${t.copy} ${text}`}
        copySuccessText={t.copied}
        copyErrorText={t.failed}
      />
    </span>
  ) : (
    t.none
  )
}
