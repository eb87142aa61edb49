import Box from '@cloudscape-design/components/box'
import Button from '@cloudscape-design/components/button'
import Cards from '@cloudscape-design/components/cards'
import CopyToClipboard from '@cloudscape-design/components/copy-to-clipboard'
import Header from '@cloudscape-design/components/header'
import Link from '@cloudscape-design/components/link'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { getMigrateImages } from '@wharf/contract'
import { linkTo } from '../../frame/route.ts'
import { Failure } from '../../parts/Failure.tsx'
import { Nothing } from '../../parts/Nothing.tsx'
import { Status } from '../../parts/Status.tsx'
import { useAnswer } from '../../wharf/answers.ts'
import { useFigures } from '../../words/figures.ts'
import { useWords } from '../../words/words.ts'
import { words } from './words.ts'

/** Whether a file is still there is asked of its storage, of which no event tells. */
const lookMs = 60_000

/** A card for each role. */
export function Images() {
  const say = useWords(words)
  const figures = useFigures()
  const { data, error, isPending } = useAnswer(getMigrateImages, {}, { everyMs: lookMs })
  const images = Object.entries(data?.images ?? {}).map(([role, image]) => ({
    role,
    image,
    stored: image.backupStorageRefs.find(({ status }) => status === 'Ready') ?? image.backupStorageRefs[0],
  }))
  const copy = { copySuccessText: say.copied, copyErrorText: say.notCopied }
  return (
    <SpaceBetween size="m">
      {error ? <Failure error={error} /> : null}
      <Cards
        loading={isPending}
        items={images}
        trackBy="role"
        cardsPerRow={[{ cards: 1 }, { minWidth: 700, cards: 2 }, { minWidth: 1000, cards: 3 }]}
        header={
          <Header variant="h2" counter={`(${images.length})`}>
            {say.images}
          </Header>
        }
        cardDefinition={{
          header: ({ role, image }) => (
            <SpaceBetween direction="horizontal" size="s" alignItems="center">
              <Box variant="h3">
                {Object.hasOwn(say.roles, role) ? say.roles[role as keyof typeof say.roles] : role}
              </Box>
              <Status value={image.status} />
            </SpaceBetween>
          ),
          sections: [
            { id: 'name', header: say.name, content: ({ image }) => image.name },
            {
              id: 'size',
              header: say.size,
              width: 60,
              content: ({ image }) => say.sizeOf(figures.bytes(image.size), figures.bytes(image.actualSize)),
            },
            {
              id: 'format',
              header: say.format,
              width: 40,
              content: ({ image }) => `${image.format} · ${image.platform}`,
            },
            {
              id: 'md5',
              header: say.md5,
              content: ({ image }) =>
                image.md5Sum === null ? (
                  '–'
                ) : (
                  <CopyToClipboard
                    variant="inline"
                    textToCopy={image.md5Sum}
                    textToDisplay={<span className="checksum">{image.md5Sum}</span>}
                    copyButtonAriaLabel={say.copyMd5(image.name)}
                    {...copy}
                  />
                ),
            },
            {
              id: 'storage',
              header: say.storage,
              content: ({ stored }) =>
                stored ? (
                  <Link href={linkTo(['backup-storage', stored.backupStorageUuid])}>{stored.installPath}</Link>
                ) : (
                  '–'
                ),
            },
            {
              id: 'download',
              header: say.download,
              content: ({ image, stored }) =>
                stored?.exportUrl ? (
                  <SpaceBetween direction="horizontal" size="xs" alignItems="center">
                    <CopyToClipboard
                      textToCopy={stored.exportUrl}
                      copyButtonText={say.copy}
                      copyButtonAriaLabel={say.copyUrl(image.name)}
                      {...copy}
                    />
                    <Box variant="small" color="text-body-secondary">
                      {say.downloadMeans}
                    </Box>
                  </SpaceBetween>
                ) : (
                  say.missing
                ),
            },
          ],
        }}
        empty={
          <Nothing words={say.noImages}>
            <Button href={linkTo(['packages'])}>{say.toPackages}</Button>
          </Nothing>
        }
      />
    </SpaceBetween>
  )
}
