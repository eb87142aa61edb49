import Button from '@cloudscape-design/components/button'
import CopyToClipboard from '@cloudscape-design/components/copy-to-clipboard'
import Link from '@cloudscape-design/components/link'
import { type AnswerOf, getMigrateImages } from '@wharf/contract'
import { linkTo } from '../../browser/route.ts'
import { Status } from '../../components/Status.tsx'
import type { Column } from '../../components/table/column.ts'
import { LocalTable } from '../../components/table/LocalTable.tsx'
import { useApiQuery } from '../../data/api-query.ts'
import { useFormat } from '../../i18n/use-format.ts'
import { useMessages } from '../../i18n/use-messages.ts'
import { messages } from './messages.ts'

type Image = AnswerOf<typeof getMigrateImages>['images'][string]

interface ImageRow extends Image {
  readonly role: string
  readonly backupStorageUuid: string | null
  readonly installPath: string | null
  readonly exportUrl: string | null
}

/** No event reports that a file disappears from its storage. */
const pollMs = 60_000

function rowOf([role, image]: [string, Image]): ImageRow {
  const { backupStorageRefs: stores } = image
  const {
    backupStorageUuid = null,
    installPath = null,
    exportUrl = null,
  } = stores.find(({ status }) => status === 'Ready') ?? stores[0] ?? {}
  return { ...image, role, backupStorageUuid, installPath, exportUrl }
}

/** One image per role, so the list has no filter. */
export function Images() {
  const t = useMessages(messages)
  const format = useFormat()
  const { data, error, isFetching, refetch } = useApiQuery(getMigrateImages, {}, { pollMs })
  const copy = { copySuccessText: t.copied, copyErrorText: t.notCopied }
  const roleOf = ({ role }: ImageRow): string =>
    Object.hasOwn(t.roles, role) ? t.roles[role as keyof typeof t.roles] : role
  const columns: Column<ImageRow>[] = [
    { field: 'role', label: t.role, text: roleOf, width: 140 },
    { field: 'status', label: t.status, width: 120, cell: ({ status }) => <Status value={status} /> },
    {
      field: 'size',
      label: t.size,
      isMeasure: true,
      width: 200,
      cell: ({ size, actualSize }) => t.sizeOf(format.bytes(size), format.bytes(actualSize)),
    },
    {
      field: 'md5Sum',
      label: t.md5,
      width: 130,
      cell: ({ md5Sum, name }) =>
        md5Sum === null ? (
          '–'
        ) : (
          <CopyToClipboard
            variant="inline"
            textToCopy={md5Sum}
            textToDisplay={<span className="checksum">{md5Sum}</span>}
            copyButtonAriaLabel={t.copyMd5(name)}
            {...copy}
          />
        ),
    },
    {
      field: 'exportUrl',
      label: t.download,
      width: 195,
      text: ({ exportUrl }) => exportUrl ?? t.missing,
      cell: ({ exportUrl, name }) =>
        exportUrl === null ? (
          t.missing
        ) : (
          <CopyToClipboard
            variant="inline"
            textToCopy={exportUrl}
            textToDisplay={t.downloadHelp}
            copyButtonAriaLabel={t.copyUrl(name)}
            {...copy}
          />
        ),
    },
    { field: 'name', label: t.name, isOptional: true },
    { field: 'format', label: t.format, isOptional: true, text: (image) => `${image.format} · ${image.platform}` },
    {
      field: 'installPath',
      label: t.storage,
      width: 245,
      cell: ({ backupStorageUuid, installPath }) =>
        backupStorageUuid === null ? (
          '–'
        ) : (
          <Link href={linkTo(['backup-storage', backupStorageUuid])}>{installPath}</Link>
        ),
    },
  ]
  return (
    <LocalTable
      title={t.images}
      isSection
      records={data && Object.entries(data.images).map(rowOf)}
      error={error}
      isFetching={isFetching}
      refetch={() => void refetch()}
      call={{ operation: getMigrateImages, input: {} }}
      keyOf={({ role }) => role}
      columns={columns}
      path={['migration', 'images']}
      defaultSort="+role"
      empty={t.noImages}
      first={<Button href={linkTo(['packages'])}>{t.toPackages}</Button>}
    />
  )
}
