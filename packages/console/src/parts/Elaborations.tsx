import Box from '@cloudscape-design/components/box'
import SpaceBetween from '@cloudscape-design/components/space-between'
import type { ElaborationContent } from '@wharf/sdk'
import { useLanguage } from '../words/language.tsx'
import { useWords } from '../words/words.ts'
import { Failure } from './Failure.tsx'
import { onePerCode } from './one-per-code.ts'
import { words } from './words.ts'

/** What the catalogue says, entry by entry. */
export function Elaborations({ contents, error }: { contents: readonly ElaborationContent[]; error?: unknown }) {
  const say = useWords(words)
  const { language } = useLanguage()
  if (error) return <Failure error={error} />
  if (contents.length === 0) return <Box color="text-body-secondary">{say.noExplanation}</Box>
  return (
    <SpaceBetween size="m">
      {onePerCode(contents).map((content) => (
        <div key={`${content.category}.${content.code}`}>
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
