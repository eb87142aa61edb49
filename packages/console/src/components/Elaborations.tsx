import Box from '@cloudscape-design/components/box'
import SpaceBetween from '@cloudscape-design/components/space-between'
import type { ElaborationContent } from '@wharf/sdk'
import { useLanguage } from '../i18n/language.tsx'
import { useMessages } from '../i18n/use-messages.ts'
import { dedupeByCode, withoutPlaceholders } from './dedupe-by-code.ts'
import { ErrorAlert } from './ErrorAlert.tsx'
import { messages } from './messages.ts'

interface Listed {
  readonly contents: readonly ElaborationContent[]
  /** The contents answer a text search; entries without a method only match keywords. */
  readonly isOfText: boolean
  readonly error?: unknown
}

/** The entries of the error catalogue. */
export function Elaborations({ contents, isOfText, error }: Listed) {
  const t = useMessages(messages)
  const { language } = useLanguage()
  if (error) return <ErrorAlert error={error} />
  if (contents.length === 0) return <Box color="text-body-secondary">{t.noExplanation}</Box>
  const isByKeyword = isOfText && contents[0]?.method === null
  const listed = isByKeyword ? contents.map(withoutPlaceholders) : dedupeByCode(contents)
  return (
    <SpaceBetween size="m">
      {isByKeyword ? <Box color="text-body-secondary">{t.byKeyword}</Box> : null}
      {listed.map((content) => (
        <div key={`${content.category}.${content.code} ${content.regex}`}>
          <Box variant="h4" tagOverride="h3">{`${content.category}.${content.code}`}</Box>
          <Box variant="p">
            {language === 'zh'
              ? (content.message_cn ?? content.message_en)
              : (content.message_en ?? content.message_cn)}
          </Box>
        </div>
      ))}
    </SpaceBetween>
  )
}
