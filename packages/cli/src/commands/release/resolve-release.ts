import type { Wharf } from '@wharf/sdk'
import { CommandError, UsageError } from '../../errors.ts'
import { type FoundRecord, recordsOf, resolveRecord } from '../../names/resolve-record.ts'
import { printable } from '../../output/printable.ts'

const maxReleases = 1000
const isUuid = /^[0-9a-f]{32}$/i

/** NAME@VERSION, a uuid, or with `acceptsLatest` NAME or NAME@latest for the latest published release of that name. */
export async function resolveRelease(
  wharf: Wharf,
  reference: string,
  { acceptsLatest = true }: { acceptsLatest?: boolean } = {},
): Promise<FoundRecord> {
  if (isUuid.test(reference.replaceAll('-', ''))) return resolveRecord(wharf, 'releases', reference)
  const at = reference.lastIndexOf('@')
  const name = at > 0 ? reference.slice(0, at) : reference
  const given = at > 0 ? reference.slice(at + 1) : undefined
  const releases = await recordsOf(wharf, 'releases', { q: [`name=${name}`], sort: '+createDate', limit: maxReleases })
  // names the similar ones
  if (releases.length === 0) return resolveRecord(wharf, 'releases', name)
  const versionsText = (): string => releases.map((release) => printable(String(release.version))).join(', ')
  const isLatest = given === 'latest' && !releases.some((release) => release.version === given)
  const version = isLatest ? undefined : given
  if (version === undefined && !acceptsLatest)
    throw new UsageError(
      `${printable(name)} names no version`,
      `use ${printable(name)}@VERSION; versions: ${versionsText()}`,
    )
  const found =
    version === undefined ? await latestOf(releases) : releases.find((release) => release.version === version)
  if (found !== undefined) return found
  throw new CommandError(
    version === undefined ? `every release of ${printable(name)} is retired` : `no release ${printable(reference)}`,
    `versions of ${printable(name)}: ${versionsText()}`,
  )
}

async function latestOf(releases: readonly FoundRecord[]): Promise<FoundRecord | undefined> {
  const { latestRelease } = await import('@wharf/contract')
  const published = releases.filter(({ state }) => state === 'Published')
  return latestRelease(published.map((release) => ({ ...release, version: String(release.version) })))
}
