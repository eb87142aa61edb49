import Box from '@cloudscape-design/components/box'
import Container from '@cloudscape-design/components/container'
import Header from '@cloudscape-design/components/header'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useMessages } from '../../i18n/use-messages.ts'
import { UnfinishedRow } from './UnfinishedRow.tsx'
import { UploadRow } from './UploadRow.tsx'
import { useUnfinishedUploads } from './use-unfinished-uploads.ts'
import './uploads.css'
import { messages } from './messages.ts'
import { useUploads } from './use-uploads.ts'

/** The uploads of this tab, and unfinished ones of earlier tabs. */
export function UploadList() {
  const t = useMessages(messages)
  const items = useUploads()
  const unfinished = useUnfinishedUploads()
  if (items.length + unfinished.length === 0) return null
  return (
    <SpaceBetween size="l">
      {items.length > 0 ? (
        <Container header={<Header variant="h2">{t.title}</Header>}>
          <SpaceBetween size="l">
            {items.map((item) => (
              <UploadRow key={item.id} item={item} />
            ))}
          </SpaceBetween>
        </Container>
      ) : null}
      {unfinished.length > 0 ? (
        <Container header={<Header variant="h2">{t.unfinishedTitle}</Header>}>
          <SpaceBetween size="l">
            <Box color="text-body-secondary">{t.unfinishedIntro}</Box>
            {unfinished.map((upload) => (
              <UnfinishedRow key={upload.packageUuid} upload={upload} />
            ))}
          </SpaceBetween>
        </Container>
      ) : null}
    </SpaceBetween>
  )
}
