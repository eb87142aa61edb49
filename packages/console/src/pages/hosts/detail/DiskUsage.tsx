import Box from '@cloudscape-design/components/box'
import BreadcrumbGroup from '@cloudscape-design/components/breadcrumb-group'
import Container from '@cloudscape-design/components/container'
import Header from '@cloudscape-design/components/header'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { getDirectoryUsage, type queryHost, type querySoftwarePackage } from '@wharf/contract'
import { linkTo } from '../../../browser/route.ts'
import { ErrorAlert } from '../../../components/ErrorAlert.tsx'
import type { RecordOf } from '../../../components/ResourceTable.tsx'
import { useApiQuery } from '../../../data/api-query.ts'
import { useFormat } from '../../../i18n/use-format.ts'
import { useMessages } from '../../../i18n/use-messages.ts'
import { DiskBar } from './DiskBar.tsx'
import { DiskMap } from './DiskMap.tsx'
import { FolderForm } from './FolderForm.tsx'
import { ancestorFolders, cleanFolder, filesIn, firstBranchingFolder, type StoredFile } from './folders.ts'
import { messages } from './messages.ts'

interface DiskUsageProps {
  readonly host: RecordOf<typeof queryHost>
  /** The largest packages. */
  readonly packages: readonly RecordOf<typeof querySoftwarePackage>[]
  readonly total: number
  /** The folder in the URL. */
  readonly requestedFolder: string | undefined
}

const pollMs = 30_000

/** The capacity of the file system of a folder, and the space used by packages. */
export function DiskUsage({ host, packages, total, requestedFolder }: DiskUsageProps) {
  const t = useMessages(messages)
  const format = useFormat()
  const files = packages.map(
    ({ uuid = '', name = '', installPath = '', size = 0 }): StoredFile => ({ uuid, name, installPath, size }),
  )
  const folder = requestedFolder === undefined ? firstBranchingFolder(files, '/') : cleanFolder(requestedFolder)
  const { uuid = '', managementNodeUuid: node } = host
  const linkToFolder = (path: string): string => linkTo(['hosts', uuid], { folder: path })
  // only the root file system of a remote host is known
  const usage = useApiQuery(
    getDirectoryUsage,
    { managementNodeUuid: node ?? '', directoryPath: folder },
    { enabled: Boolean(node), pollMs },
  )
  const { totalCapacity = 0, availableCapacity = 0 } = node ? (usage.data ?? {}) : host
  const here = filesIn(files, folder).reduce((sum, { size }) => sum + size, 0)
  return (
    <Container
      header={
        <Header variant="h2" description={t.diskIntro}>
          {t.disk}
        </Header>
      }
    >
      <SpaceBetween size="m">
        {folder === '/' ? null : (
          <BreadcrumbGroup
            ariaLabel={t.folder}
            items={ancestorFolders(folder).map((path) => ({
              text: path === '/' ? '/' : (path.split('/').at(-1) ?? ''),
              href: linkToFolder(path),
            }))}
          />
        )}
        {node ? <FolderForm key={folder} folder={folder} linkToFolder={linkToFolder} /> : null}
        {usage.error ? <ErrorAlert error={usage.error} /> : null}
        {totalCapacity > 0 ? (
          <DiskBar
            title={t.fileSystemOf(node ? folder : '/')}
            total={totalCapacity}
            free={availableCapacity}
            packages={here}
          />
        ) : null}
        {totalCapacity === 0 && (!node || usage.data) ? (
          <Box color="text-body-secondary">{node ? t.noSize : t.notConnected}</Box>
        ) : null}
        <Box variant="h3">
          {t.map(folder)} <Box variant="span" color="text-body-secondary">{`(${format.bytes(here)})`}</Box>
        </Box>
        {total > packages.length ? (
          <Box variant="small" color="text-body-secondary">
            {t.largest(format.number(packages.length), format.number(total))}
          </Box>
        ) : null}
        <DiskMap files={files} folder={folder} linkToFolder={linkToFolder} />
      </SpaceBetween>
    </Container>
  )
}
