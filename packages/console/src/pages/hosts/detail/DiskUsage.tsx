import Box from '@cloudscape-design/components/box'
import BreadcrumbGroup from '@cloudscape-design/components/breadcrumb-group'
import Container from '@cloudscape-design/components/container'
import Header from '@cloudscape-design/components/header'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { getDirectoryUsage, type queryHost, type querySoftwarePackage } from '@wharf/contract'
import { linkTo } from '../../../frame/route.ts'
import { Failure } from '../../../parts/Failure.tsx'
import type { RecordOf } from '../../../parts/ResourceTable.tsx'
import { useAnswer } from '../../../wharf/answers.ts'
import { useFigures } from '../../../words/figures.ts'
import { useWords } from '../../../words/words.ts'
import { DiskBar } from './DiskBar.tsx'
import { DiskMap } from './DiskMap.tsx'
import { FolderForm } from './FolderForm.tsx'
import { cleanFolder, filesIn, firstWorthSeeing, foldersTo, type StoredFile } from './folders.ts'
import { words } from './words.ts'

interface DiskUsageProps {
  readonly host: RecordOf<typeof queryHost>
  /** The largest of them, and how many there are. */
  readonly packages: readonly RecordOf<typeof querySoftwarePackage>[]
  readonly total: number
  /** The folder in the address of the page. */
  readonly asked: string | undefined
}

const lookMs = 30_000

/** The room of a folder's file system, and what of it packages take: a folder opens when it is chosen. */
export function DiskUsage({ host, packages, total, asked }: DiskUsageProps) {
  const say = useWords(words)
  const figures = useFigures()
  const files = packages.map(
    ({ uuid = '', name = '', installPath = '', size = 0 }): StoredFile => ({ uuid, name, installPath, size }),
  )
  const folder = asked === undefined ? firstWorthSeeing(files, '/') : cleanFolder(asked)
  const { uuid = '', managementNodeUuid: node } = host
  const linkToFolder = (path: string): string => linkTo(['hosts', uuid], { folder: path })
  // of another host only the first file system is known
  const usage = useAnswer(
    getDirectoryUsage,
    { managementNodeUuid: node ?? '', directoryPath: folder },
    { enabled: Boolean(node), everyMs: lookMs },
  )
  const { totalCapacity = 0, availableCapacity = 0 } = node ? (usage.data ?? {}) : host
  const here = filesIn(files, folder).reduce((sum, { size }) => sum + size, 0)
  return (
    <Container
      header={
        <Header variant="h2" description={say.diskIntro}>
          {say.disk}
        </Header>
      }
    >
      <SpaceBetween size="m">
        {folder === '/' ? null : (
          <BreadcrumbGroup
            ariaLabel={say.folder}
            items={foldersTo(folder).map((path) => ({
              text: path === '/' ? '/' : (path.split('/').at(-1) ?? ''),
              href: linkToFolder(path),
            }))}
          />
        )}
        {node ? <FolderForm key={folder} folder={folder} linkToFolder={linkToFolder} /> : null}
        {usage.error ? <Failure error={usage.error} /> : null}
        {totalCapacity > 0 ? (
          <DiskBar
            title={say.fileSystemOf(node ? folder : '/')}
            total={totalCapacity}
            free={availableCapacity}
            packages={here}
          />
        ) : null}
        {totalCapacity === 0 && (!node || usage.data) ? (
          <Box color="text-body-secondary">{node ? say.noSize : say.notConnected}</Box>
        ) : null}
        <Box variant="h3">
          {say.map(folder)} <Box variant="span" color="text-body-secondary">{`(${figures.bytes(here)})`}</Box>
        </Box>
        {total > packages.length ? (
          <Box variant="small" color="text-body-secondary">
            {say.largest(figures.number(packages.length), figures.number(total))}
          </Box>
        ) : null}
        <DiskMap files={files} folder={folder} linkToFolder={linkToFolder} />
      </SpaceBetween>
    </Container>
  )
}
