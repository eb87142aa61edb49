import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ListingReader } from './listing-reader.ts'

function verifyListing(text: string): void {
  const reader = new ListingReader()
  for (const line of text.split('\n')) reader.line(line)
  reader.end()
}

/** As the host sends it: records that end with NUL, in base64 of 76 characters a line. */
const listing = (...records: string[]): string =>
  (
    Buffer.from(records.map((record) => `${record}\0`).join(''), 'latin1')
      .toString('base64')
      .match(/.{1,76}/g) ?? []
  ).join('\n')

const heads = {
  folders: '=folders',
  files: '=files',
  links: '=links',
  other: '=other',
  privileged: '=privileged',
  shared: '=shared',
}

interface Found {
  folders?: string[]
  files?: string[]
  links?: [name: string, target: string][]
  other?: string[]
  privileged?: string[]
  shared?: string[]
}

const found = ({ folders = [], files = [], links = [], other = [], privileged = [], shared = [] }: Found): string =>
  listing(
    ...[heads.folders, '.', ...folders],
    ...[heads.files, ...files],
    ...[heads.links, ...links.flat()],
    ...[heads.other, ...other],
    ...[heads.privileged, ...privileged],
    ...[heads.shared, shared.map((line) => `${line}\n`).join(''), '=end'],
  )

/** The same in one pass: the first character of a record is its kind. */
const inOnePass = ({ folders = [], files = [], links = [], other = [], privileged = [], shared = [] }: Found): string =>
  listing(
    '=entries',
    'd.',
    ...links.flatMap(([name, target]) => [`l${name}`, target]),
    ...privileged.map((name) => `p${name}`),
    ...files.map((name) => `f${name}`),
    ...folders.map((name) => `d${name}`),
    ...other.map((name) => `o${name}`),
    ...shared.map((line) => `s${line}`),
    '=end',
  )

const utf8 = (text: string): string => Buffer.from(text).toString('latin1')

const accepted: [name: string, found: Found][] = [
  ['nothing', {}],
  ['files and folders', { folders: ['./a', './a/b'], files: ['./a/b/x', './y'] }],
  ['names of all kinds', { files: ['./=end', './a\nb', './ ', utf8('./中文'), './-rf'] }],
  [
    'links inside',
    {
      folders: ['./a'],
      links: [
        ['./a/l', '../x'],
        ['./m', 'a/l'],
        ['./n', '=end'],
      ],
    },
  ],
  ['hard links inside', { files: ['./a', './b'], shared: ['2 1:77', '2 1:77', '3 1:78', '3 1:78', '3 1:78'] }],
]

for (const [name, contents] of accepted)
  for (const write of [found, inOnePass]) test(`accepts ${name}, ${write.name}`, () => verifyListing(write(contents)))

/** An error of the host, not of the archive. */
const notListed = /could not be listed/

const refused: [name: string, listing: string, error: RegExp][] = [
  ['an absolute link', found({ links: [['./l', '/etc']] }), /leaves/],
  ['a link above', found({ links: [['./l', '..']] }), /leaves/],
  ['a link above from a folder', found({ folders: ['./a'], links: [['./a/l', '../../x']] }), /leaves/],
  [
    'a link through another link',
    found({
      folders: ['./a'],
      links: [
        ['./a/s', '..'],
        ['./t', 'a/s/../x'],
      ],
    }),
    /link/,
  ],
  ['a link whose target is not UTF-8', found({ links: [['./l', '\xff']] }), /UTF-8/],
  ['a name that is not UTF-8', found({ files: ['./\xff'] }), /UTF-8/],
  ['a device', found({ other: ['./null'] }), /neither/],
  ['a setuid bit', found({ files: ['./a'], privileged: ['./a'] }), /setuid/],
  ['a hard link to outside', found({ files: ['./a'], shared: ['2 1:77'] }), /hard link/],
  ['an absolute link in one pass', inOnePass({ links: [['./l', '/etc']] }), /leaves/],
  ['a device in one pass', inOnePass({ other: ['./null'] }), /neither/],
  ['a setuid bit in one pass', inOnePass({ privileged: ['./a'] }), /setuid/],
  ['a hard link to outside in one pass', inOnePass({ files: ['./a'], shared: ['2 1:77'] }), /hard link/],
  ['no end of one pass', listing('=entries', 'd.'), notListed],
  ['an unknown kind', listing('=entries', 'x./a', '=end'), notListed],
  ['a section after one pass', listing('=entries', 'd.', '=files', '=end'), notListed],
  ['nothing at all', '', notListed],
  ['no end', listing('=folders', '.', '=files', '=links', '=other', '=privileged', '=shared', ''), notListed],
  ['a missing section', listing('=folders', '.', '=files', '=links', '=other', '=shared', '', '=end'), notListed],
  ['an absolute path', found({ files: ['/etc/passwd'] }), notListed],
  ['a path above', found({ files: ['../x'] }), /"\.\."/],
  ['text that is not base64', 'ls: cannot open directory', notListed],
  ['a record without end', 'QUFB'.repeat(100_000), notListed],
]

for (const [name, text, error] of refused) {
  test(`refuses ${name}`, () => {
    const code = error === notListed ? 'SoftwarePackage.1300' : 'SoftwarePackage.1132'
    assert.throws(() => verifyListing(text), { code, message: error })
  })
}
