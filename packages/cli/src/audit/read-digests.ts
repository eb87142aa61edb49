import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { SignedAuditDigest } from '@wharf/contract'
import { UsageError } from '../errors.ts'

/** Where `wharf audit export` writes the digests of an export. */
export const digestsFile = (exportFile: string): string => `${exportFile}.digests`

/** The digests of a file, or of all files of a folder such as WHARF_AUDIT_DIGESTS. */
export function readDigests(path: string): readonly SignedAuditDigest[] {
  if (!existsSync(path))
    throw new UsageError(
      `${path} does not exist`,
      'wharf audit export FILE writes FILE.digests; --digests PATH names another file, or a folder with digests',
    )
  if (!statSync(path).isDirectory()) return digestsIn(path)
  const names = readdirSync(path, { recursive: true, encoding: 'utf8' }).sort()
  return names.filter((name) => name.endsWith('.json')).flatMap((name) => digestsIn(join(path, name)))
}

/** One JSON value, such as the response of QueryAuditDigest, or one per line. */
function digestsIn(file: string): readonly SignedAuditDigest[] {
  const text = readFileSync(file, 'utf8')
  const whole = parse(text)
  const values =
    whole === undefined
      ? text
          .split('\n')
          .filter((line) => line !== '')
          .map(parse)
      : [whole]
  const listed = values.flatMap((value) => (value as { inventories?: unknown } | undefined)?.inventories ?? value)
  if (listed.every(isDigest)) return listed
  throw new UsageError(`${file} is not a file of digests: each must be JSON with document and signature`)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isDigest(value: unknown): value is SignedAuditDigest {
  const { document, signature } = (value ?? {}) as Partial<SignedAuditDigest>
  return typeof document === 'string' && typeof signature === 'string'
}
