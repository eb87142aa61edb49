/** The order of the versions of one piece of software, by Semantic Versioning 2.0.0. */

interface SemanticVersion {
  readonly numbers: readonly string[]
  /** Empty without a prerelease. */
  readonly prerelease: readonly string[]
}

const number = '(?:0|[1-9][0-9]*)'
const identifier = `(?:${number}|[0-9]*[A-Za-z-][0-9A-Za-z-]*)`
const pattern = new RegExp(
  `^(${number})\\.(${number})\\.(${number})(?:-(${identifier}(?:\\.${identifier})*))?(?:\\+[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*)?$`,
)

function parseVersion(text: string): SemanticVersion | undefined {
  const match = pattern.exec(text)
  if (match === null) return undefined
  const [, major = '', minor = '', patch = '', prerelease] = match
  return { numbers: [major, minor, patch], prerelease: prerelease?.split('.') ?? [] }
}

const isNumber = (text: string): boolean => /^[0-9]+$/.test(text)

/** Numbers of any length, without leading zeros; other identifiers by ASCII, and after numbers. */
function compareIdentifiers(a: string, b: string): number {
  if (isNumber(a) !== isNumber(b)) return isNumber(a) ? -1 : 1
  if (isNumber(a) && a.length !== b.length) return a.length - b.length
  return a < b ? -1 : a > b ? 1 : 0
}

function compareLists(a: readonly string[], b: readonly string[]): number {
  for (const [index, one] of a.entries()) {
    const other = b[index]
    const order = other === undefined ? 1 : compareIdentifiers(one, other)
    if (order !== 0) return order
  }
  return a.length - b.length
}

/**
 * Negative when `a` is the lower version, positive when it is the greater one, 0 when both have the same precedence;
 * undefined when they differ and either is not a semantic version.
 */
export function compareVersions(a: string, b: string): number | undefined {
  if (a === b) return 0
  const [one, other] = [parseVersion(a), parseVersion(b)]
  if (one === undefined || other === undefined) return undefined
  const order = compareLists(one.numbers, other.numbers)
  if (order !== 0) return order
  if (one.prerelease.length === 0 || other.prerelease.length === 0)
    return other.prerelease.length - one.prerelease.length
  return compareLists(one.prerelease, other.prerelease)
}

/**
 * The latest of the releases of one name, given in the order of their publication: the greatest version, or the last one
 * when the versions cannot be compared.
 */
export function latestRelease<R extends { readonly version: string }>(published: readonly R[]): R | undefined {
  let latest: R | undefined
  for (const release of published) {
    const order = latest === undefined ? 0 : compareVersions(release.version, latest.version)
    if (order === undefined) return published.at(-1)
    if (order >= 0) latest = release
  }
  return latest
}
