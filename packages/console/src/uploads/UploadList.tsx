import Box from '@cloudscape-design/components/box'
import Container from '@cloudscape-design/components/container'
import Header from '@cloudscape-design/components/header'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useWords } from '../words/words.ts'
import { UnfinishedRow } from './UnfinishedRow.tsx'
import { UploadRow } from './UploadRow.tsx'
import { useUnfinished } from './unfinished.ts'
import './uploads.css'
import { useUploads } from './uploads.ts'
import { words } from './words.ts'

/** What this tab sends, and what an earlier one has left. Nothing when there is neither. */
export function UploadList() {
  const say = useWords(words)
  const items = useUploads()
  const unfinished = useUnfinished()
  return (
    <>
      {items.length > 0 ? (
        <Container header={<Header variant="h2">{say.title}</Header>}>
          <SpaceBetween size="l">
            {items.map((item) => (
              <UploadRow key={item.id} item={item} />
            ))}
          </SpaceBetween>
        </Container>
      ) : null}
      {unfinished.length > 0 ? (
        <Container header={<Header variant="h2">{say.unfinishedTitle}</Header>}>
          <SpaceBetween size="l">
            <Box color="text-body-secondary">{say.unfinishedIntro}</Box>
            {unfinished.map((upload) => (
              <UnfinishedRow key={upload.packageUuid} upload={upload} />
            ))}
          </SpaceBetween>
        </Container>
      ) : null}
    </>
  )
}
