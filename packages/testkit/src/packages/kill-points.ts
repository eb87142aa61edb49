import { dirname } from 'node:path'

/** Where a program on a host stands still when the server is killed: its words, and on which side of it. */
export interface KillPoint {
  readonly when: 'before' | 'after'
  /** Texts that are all in the words of that one program; `path` is the installPath. */
  readonly words: (path: string) => string[]
}

const before = (words: KillPoint['words']): KillPoint => ({ when: 'before', words })
const afterwards = (words: KillPoint['words']): KillPoint => ({ when: 'after', words })

const making = (path: string) => ['mkdir -p', dirname(path)]
const naming = (path: string) => ['/usr/bin/link', path, '.part.']
const unpacking = (path: string) => ['tar --extract', path]
const moving = (path: string) => ['mv -- "$1" "$2"', path]
const tidying = (path: string) => ['rm -rf "$1"', `${path}.`, '.part']

/** The steps of an upload to a host, and in them every moment at which the host looks different. */
export const uploadKillPoints = {
  'check: before the place is looked at': before((path) => ['missing=', path]),
  'reserve: before folders are made': before(making),
  'reserve: after folders are made': afterwards(making),
  'transfer: before the first byte': before((path) => ['rm -f -- "$2"', path]),
  'transfer: before the whole file has a name': before(naming),
  'transfer: after the whole file has a name': afterwards(naming),
  'transfer: after the file is in its place': afterwards((path) => ['ln -- "$1" "$2"', path]),
  'unpack: before the zip is there as a tar': before((path) => ['/usr/bin/link', path, '.unpacking.tar']),
  'unpack: before tar runs': before(unpacking),
  'unpack: after tar has run': afterwards(unpacking),
  'unpack: after all is checked': afterwards((path) => ['wharf-unpack-check', path]),
  'place: before the folder is moved': before(moving),
  'place: after the folder is moved': afterwards(moving),
  'tidy: before the second name goes': before(tidying),
  'tidy: after the second name has gone': afterwards(tidying),
} as const satisfies Record<string, KillPoint>

export type UploadKillPoint = keyof typeof uploadKillPoints

/** What the way back does on a host, by the words of each program. */
export const uploadUndoPoints = {
  'undo place': '[ -e "$1" ] || rm -rf -- "$2"',
  'undo unpack': 'rm -rf -- "$1".tar.*.part "$1".tar "$1"',
  'undo transfer': 'rm -f -- "$1".*.part',
  'undo reserve': 'rmdir -- "$folder"',
}
