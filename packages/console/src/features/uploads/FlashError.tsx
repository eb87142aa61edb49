import Box from '@cloudscape-design/components/box'
import CopyToClipboard from '@cloudscape-design/components/copy-to-clipboard'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { WharfError } from '@wharf/sdk'
import { useRemedy } from '../../components/ErrorAlert.tsx'
import { quoted } from '../../components/error-text.ts'
import { messages as componentMessages } from '../../components/messages.ts'
import { useMessages } from '../../i18n/use-messages.ts'

/** The content of `ErrorAlert` within a notification. */
export function FlashError({ failure }: { failure: unknown }) {
  const t = useMessages(componentMessages)
  const remedy = useRemedy(failure)
  const text = failure instanceof WharfError ? `${failure.code} · ${failure.details}` : String(failure)
  return (
    <SpaceBetween size="xxs">
      <Box color="inherit">{text}</Box>
      {remedy ? (
        <Box color="inherit">
          <strong>{t.remedy}</strong> {remedy}
        </Box>
      ) : null}
    </SpaceBetween>
  )
}

/** Copies the error for a support request. */
export function CopyErrorButton({ failure }: { failure: unknown }) {
  const t = useMessages(componentMessages)
  return (
    <CopyToClipboard
      variant="button"
      textToCopy={quoted(failure)}
      copyButtonText={t.copy}
      copySuccessText={t.copied}
      copyErrorText={String(failure)}
    />
  )
}
