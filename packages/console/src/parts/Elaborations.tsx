import Box from '@cloudscape-design/components/box'
import SpaceBetween from '@cloudscape-design/components/space-between'
import type { ElaborationContent } from '@wharf/sdk'
import { useLanguage } from '../words/language.tsx'
import { useWords } from '../words/words.ts'
import { Failure } from './Failure.tsx'
import { onePerCode, withoutPlaceholders } from './one-per-code.ts'
import { words } from './words.ts'

interface Listed {
  readonly contents: readonly ElaborationContent[]
  /** Whether they answer a text, not a code: then those without a method only contain its words. */
  readonly isOfText: boolean
  readonly error?: unknown
}

/** What the catalogue says, entry by entry. */
export function Elaborations({ contents, isOfText, error }: Listed) {
  const say = useWords(words)
  const { language } = useLanguage()
  if (error) return <Failure error={error} />
  if (contents.length === 0) return <Box color="text-body-secondary">{say.noExplanation}</Box>
  const isByKeyword = isOfText && contents[0]?.method === null
  const listed = isByKeyword ? contents.map(withoutPlaceholders) : onePerCode(contents)
  return (
    <SpaceBetween size="m">
      {isByKeyword ? <Box color="text-body-secondary">{say.byKeyword}</Box> : null}
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
