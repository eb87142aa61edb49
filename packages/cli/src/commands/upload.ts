import type { Answer, Wharf } from '@wharf/sdk'
import { command, type GroupSpec } from '../command.ts'
import { deletedResult } from '../delete-command.ts'
import { CommandError } from '../errors.ts'
import { forEachName } from '../for-each-name.ts'
import { withReferenceNames } from '../names/reference-names.ts'
import { recordsOf } from '../names/resolve-record.ts'
import { jobOptions, runOperation } from '../run-operation.ts'
import { deleteVerbs } from '../verbs.ts'

interface UnfinishedUpload {
  readonly uuid: string
  readonly name: string
  readonly file: string
  readonly hostUuid: string | null
  /** Null for uploads of other users. */
  readonly receivedBytes: number | null
  /** Null for a stream, whose size is unknown until its end. */
  readonly totalBytes: number | null
  readonly createDate: string
}

/** As many as the server allows at once, and more. */
const maxUploads = 1000
const packagesPerQuery = 60

const list = command({
  name: 'list',
  aliases: ['ls'],
  summary: 'List unfinished uploads',
  more: 'An upload is resumed with the same wharf package upload command, within 72 hours after its last byte.',
  examples: ['upload list'],
  async run(cli) {
    const wharf = await cli.wharf()
    const uploads = await unfinishedUploads(wharf)
    const rows = cli.out.isTable ? await withReferenceNames(wharf, uploads.map(asRow), () => true) : uploads
    cli.out.list(rows, { columns: ['name', 'file', 'host', 'receivedBytes', 'totalBytes', 'createDate', 'uuid'] })
    if (uploads.length === 0) cli.info('No unfinished uploads.')
  },
})

const asRow = (upload: UnfinishedUpload): Readonly<Record<string, unknown>> => ({ ...upload })

const remove = command({
  ...deleteVerbs('delete'),
  summary: 'Abort an unfinished upload and delete what the server received',
  arguments: { '<name...>': { help: 'names or uuids of the packages' } },
  options: jobOptions,
  examples: ['upload delete hello', 'upload delete hello exporter'],
  async run(cli, { name: names }, jobFlags) {
    const { deleteSoftwarePackage } = await import('@wharf/contract')
    const uploads = await unfinishedUploads(await cli.wharf())
    await forEachName(cli, names, {
      find: async (name) => uploadNamed(uploads, name),
      async act({ uuid, name }) {
        const input = { uuid, deleteMode: 'Enforcing' as const }
        const flags = { ...jobFlags, label: `Deleting ${name}` }
        const answer = await runOperation(cli, deleteSoftwarePackage, input, flags)
        return answer && deletedResult(uuid, name)
      },
    })
  },
})

function uploadNamed(uploads: readonly UnfinishedUpload[], name: string): UnfinishedUpload {
  const found = uploads.filter((upload) => upload.uuid === name || upload.name === name)
  const [upload] = found
  if (upload === undefined)
    throw new CommandError(`no unfinished upload named ${name}`, 'list the uploads with wharf upload list')
  if (found.length === 1) return upload
  const candidates = found.map(({ uuid, file }) => `  ${uuid}  ${file}`).join('\n')
  throw new CommandError(`several unfinished uploads are named ${name}:\n${candidates}`, 'use the uuid instead')
}

/** The packages that receive slices, newest first; those that the server downloads are not among them. */
async function unfinishedUploads(wharf: Wharf): Promise<UnfinishedUpload[]> {
  const page = { q: ['status=Uploading'], sort: '-createDate', limit: maxUploads }
  const packages = await recordsOf(wharf, 'softwarePackages', page)
  const tags = await tagsOf(
    wharf,
    packages.map(({ uuid }) => uuid),
  )
  const found = await Promise.all(
    packages.map(async ({ uuid, name, hostUuid, createDate }): Promise<UnfinishedUpload[]> => {
      const own = tags.get(uuid) ?? []
      const file = fileIn(own)
      if (file === undefined) return []
      const shared = { uuid, name: String(name), file, hostUuid: (hostUuid ?? null) as string | null }
      return [{ ...shared, ...(await progressOf(wharf, own)), createDate: String(createDate) }]
    }),
  )
  return found.flat()
}

async function tagsOf(wharf: Wharf, uuids: readonly string[]): Promise<ReadonlyMap<string, string[]>> {
  const tags = new Map<string, string[]>()
  for (let from = 0; from < uuids.length; from += packagesPerQuery) {
    const q = [`resourceUuid?=${uuids.slice(from, from + packagesPerQuery).join(',')}`]
    for await (const { resourceUuid, tag } of wharf.systemTags.all({ q }))
      tags.set(resourceUuid, [...(tags.get(resourceUuid) ?? []), tag])
  }
  return tags
}

const tagValue = (tags: readonly string[], pattern: string): string | undefined =>
  tags.find((tag) => tag.startsWith(`${pattern}::`))?.slice(pattern.length + 2)

/** The name of the file, from the address `upload://name`; undefined for a package that the server downloads. */
function fileIn(tags: readonly string[]): string | undefined {
  const { url = '' } = JSON.parse(tagValue(tags, 'uploadConfig') ?? '{}') as { url?: string }
  const [, file] = /^upload:\/\/([^?]*)/.exec(url) ?? []
  return file === undefined ? undefined : decodedText(file)
}

/** A name with a percent sign that was not escaped is used as it is. */
export function decodedText(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

type UploadProgress = Pick<UnfinishedUpload, 'receivedBytes' | 'totalBytes'>

/** Only the user of the upload reads its address, which is a credential. */
async function progressOf(wharf: Wharf, tags: readonly string[]): Promise<UploadProgress> {
  const unknown = { receivedBytes: null, totalBytes: null }
  const [, path, query] = /(\/v1\/uploads\/[^?]+)\??(.*)$/.exec(tagValue(tags, 'uploadUrl') ?? '') ?? []
  if (path === undefined) return unknown
  const request = { method: 'HEAD', path, query, headers: { 'tus-resumable': '1.0.0' } }
  return wharf.request(request).then(
    ({ headers }) => ({
      receivedBytes: bytesIn(headers, 'upload-offset'),
      totalBytes: bytesIn(headers, 'upload-length'),
    }),
    // it ended in the meantime
    () => unknown,
  )
}

const bytesIn = (headers: Answer['headers'], name: string): number | null => {
  const text = headers.get(name)
  return text === null ? null : Number(text)
}

export const upload: GroupSpec = {
  name: 'upload',
  summary: 'Show unfinished uploads and delete them',
  commands: [list, remove],
}
