import Box from '@cloudscape-design/components/box'
import CopyToClipboard from '@cloudscape-design/components/copy-to-clipboard'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { WharfError } from '@wharf/sdk'
import { quoted, useRemedy } from '../parts/Failure.tsx'
import { words as partWords } from '../parts/words.ts'
import { useWords } from '../words/words.ts'

/** Why an upload failed, as much as `Failure` tells, within a notification. */
export function FlashedFailure({ failure }: { failure: unknown }) {
  const say = useWords(partWords)
  const remedy = useRemedy(failure)
  const text = failure instanceof WharfError ? `${failure.code} · ${failure.details}` : String(failure)
  return (
    <SpaceBetween size="xxs">
      <Box color="inherit">{text}</Box>
      {remedy ? (
        <Box color="inherit">
          <strong>{say.remedy}:</strong> {remedy}
        </Box>
      ) : null}
    </SpaceBetween>
  )
}

/** Everything that somebody else needs to know of it. */
export function CopyFailure({ failure }: { failure: unknown }) {
  const say = useWords(partWords)
  return (
    <CopyToClipboard
      variant="button"
      textToCopy={quoted(failure)}
      copyButtonText={say.copy}
      copySuccessText={say.copied}
      copyErrorText={String(failure)}
    />
  )
}
