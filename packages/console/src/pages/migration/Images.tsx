import Box from '@cloudscape-design/components/box'
import Button from '@cloudscape-design/components/button'
import Cards from '@cloudscape-design/components/cards'
import CopyToClipboard from '@cloudscape-design/components/copy-to-clipboard'
import Header from '@cloudscape-design/components/header'
import Link from '@cloudscape-design/components/link'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { getMigrateImages } from '@wharf/contract'
import { linkTo } from '../../browser/route.ts'
import { EmptyState } from '../../components/EmptyState.tsx'
import { ErrorAlert } from '../../components/ErrorAlert.tsx'
import { Status } from '../../components/Status.tsx'
import { useApiQuery } from '../../data/api-query.ts'
import { useFormat } from '../../i18n/use-format.ts'
import { useMessages } from '../../i18n/use-messages.ts'
import { messages } from './messages.ts'

/** No event reports that a file disappears from its storage. */
const pollMs = 60_000

export function Images() {
  const t = useMessages(messages)
  const format = useFormat()
  const { data, error, isPending } = useApiQuery(getMigrateImages, {}, { pollMs })
  const images = Object.entries(data?.images ?? {}).map(([role, image]) => ({
    role,
    image,
    stored: image.backupStorageRefs.find(({ status }) => status === 'Ready') ?? image.backupStorageRefs[0],
  }))
  const copy = { copySuccessText: t.copied, copyErrorText: t.notCopied }
  return (
    <SpaceBetween size="m">
      {error ? <ErrorAlert error={error} /> : null}
      <Cards
        loading={isPending}
        items={images}
        trackBy="role"
        cardsPerRow={[{ cards: 1 }, { minWidth: 700, cards: 2 }, { minWidth: 1000, cards: 3 }]}
        header={
          <Header variant="h2" counter={`(${images.length})`}>
            {t.images}
          </Header>
        }
        cardDefinition={{
          header: ({ role, image }) => (
            <SpaceBetween direction="horizontal" size="s" alignItems="center">
              <Box variant="h3">{Object.hasOwn(t.roles, role) ? t.roles[role as keyof typeof t.roles] : role}</Box>
              <Status value={image.status} />
            </SpaceBetween>
          ),
          sections: [
            { id: 'name', header: t.name, content: ({ image }) => image.name },
            {
              id: 'size',
              header: t.size,
              width: 60,
              content: ({ image }) => t.sizeOf(format.bytes(image.size), format.bytes(image.actualSize)),
            },
            {
              id: 'format',
              header: t.format,
              width: 40,
              content: ({ image }) => `${image.format} · ${image.platform}`,
            },
            {
              id: 'md5',
              header: t.md5,
              content: ({ image }) =>
                image.md5Sum === null ? (
                  '–'
                ) : (
                  <CopyToClipboard
                    variant="inline"
                    textToCopy={image.md5Sum}
                    textToDisplay={<span className="checksum">{image.md5Sum}</span>}
                    copyButtonAriaLabel={t.copyMd5(image.name)}
                    {...copy}
                  />
                ),
            },
            {
              id: 'storage',
              header: t.storage,
              content: ({ stored }) =>
                stored ? (
                  <Link href={linkTo(['backup-storage', stored.backupStorageUuid])}>{stored.installPath}</Link>
                ) : (
                  '–'
                ),
            },
            {
              id: 'download',
              header: t.download,
              content: ({ image, stored }) =>
                stored?.exportUrl ? (
                  <SpaceBetween direction="horizontal" size="xs" alignItems="center">
                    <CopyToClipboard
                      textToCopy={stored.exportUrl}
                      copyButtonText={t.copy}
                      copyButtonAriaLabel={t.copyUrl(image.name)}
                      {...copy}
                    />
                    <Box variant="small" color="text-body-secondary">
                      {t.downloadMeans}
                    </Box>
                  </SpaceBetween>
                ) : (
                  t.missing
                ),
            },
          ],
        }}
        empty={
          <EmptyState text={t.noImages}>
            <Button href={linkTo(['packages'])}>{t.toPackages}</Button>
          </EmptyState>
        }
      />
    </SpaceBetween>
  )
}
