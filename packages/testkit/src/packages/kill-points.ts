import { dirname } from 'node:path'

/** Where a program on a host is stopped when the server is killed: its command line, and before or after it. */
export interface KillPoint {
  readonly when: 'before' | 'after'
  /** Texts that the command line of that program contains; `path` is the installPath. */
  readonly patterns: (path: string) => string[]
}

const before = (patterns: KillPoint['patterns']): KillPoint => ({ when: 'before', patterns })
const after = (patterns: KillPoint['patterns']): KillPoint => ({ when: 'after', patterns })

const makeFolder = (path: string) => ['mkdir -p', dirname(path)]
const nameFile = (path: string) => ['/usr/bin/link', path, '.part;']
const unpack = (path: string) => ['tar --extract', path]
const moveFolder = (path: string) => ['wharf-publish', path]

/** The steps of an upload to a host, and in them every moment at which the state of the host differs. */
export const uploadKillPoints = {
  'check: before the path is inspected': before((path) => ['missing=', path]),
  'check: after the path is inspected': after((path) => ['missing=', path]),
  'transfer: before folders are created': before(makeFolder),
  'transfer: after folders are created, before the first byte': after(makeFolder),
  'transfer: before the complete file is renamed': before(nameFile),
  'transfer: after the complete file is renamed': after(nameFile),
  'transfer: after the file is in its place': after((path) => ['/usr/bin/link', ` ${path};`]),
  'unpack: before the zip is converted to a tar': before((path) => ['/usr/bin/link', path, '.unpacking.tar']),
  'unpack: before tar runs': before(unpack),
  'unpack: after all is listed': after(unpack),
  'place: before the folder is moved': before(moveFolder),
  'place: after the folder is moved': after(moveFolder),
} as const satisfies Record<string, KillPoint>

export type UploadKillPoint = keyof typeof uploadKillPoints

/** What the undo steps run on a host, by the command line of each program. */
export const uploadUndoPoints = {
  'undo place': '[ -e "$1" ] || rm -rf -- "$2"',
  'undo unpack': 'rm -rf -- "$1".tar.*.part "$1".tar "$1"',
  'undo transfer': 'rm -f -- "$1".*.part',
  'undo transfer: folders': 'rmdir -- "$folder"',
}
