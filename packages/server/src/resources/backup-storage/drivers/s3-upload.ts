import type { CompletedPart, S3Client } from '@aws-sdk/client-s3'
import { RequestWindow } from '@wharf/sftp/request-window.ts'
import { requireOwned } from '../../../jobs/ownership.ts'
import { isMissing, isTaken, knowsNoConditions, statusOf } from './s3-failure.ts'
import { partBytes, partsOnTheWay } from './s3-parts.ts'
import type { Source } from './source.ts'

/** The client library, which is loaded when it is needed. */
export type S3Library = typeof import('@aws-sdk/client-s3')

export interface S3Target {
  readonly library: S3Library
  readonly client: S3Client
  readonly object: { readonly Bucket: string; readonly Key: string }
}

/** Thrown when there is an object of that name. */
export class ObjectExists extends Error {}

/** One object from the source, which appears as a whole: in one request when it is small, else in parts. */
export async function upload(target: S3Target, source: Source, signal: AbortSignal): Promise<void> {
  const blocks = source.blocks(partBytes)
  const { value: first = Buffer.alloc(0), done } = await blocks.next()
  const isAll = done || first.length < partBytes(0)
  if (!isAll) return uploadParts(target, first, blocks, signal)
  const { library, client, object } = target
  await ifNothingIsThere(target, signal, (condition) =>
    client.send(new library.PutObjectCommand({ ...object, ...condition, Body: first }), { abortSignal: signal }),
  )
}

async function uploadParts(
  target: S3Target,
  first: Buffer,
  others: AsyncIterable<Buffer>,
  signal: AbortSignal,
): Promise<void> {
  const { library, client, object } = target
  const options = { abortSignal: signal }
  const { UploadId } = await client.send(new library.CreateMultipartUploadCommand(object), options)
  const whole = { ...object, UploadId }
  try {
    const Parts = await sendParts(target, UploadId, [first], others, signal)
    await ifNothingIsThere(target, signal, (condition) =>
      client.send(
        new library.CompleteMultipartUploadCommand({ ...whole, ...condition, MultipartUpload: { Parts } }),
        options,
      ),
    )
  } catch (error) {
    await client.send(new library.AbortMultipartUploadCommand(whole)).catch(() => {})
    throw error
  }
}

async function sendParts(
  { library, client, object }: S3Target,
  UploadId: string | undefined,
  first: readonly Buffer[],
  others: AsyncIterable<Buffer>,
  signal: AbortSignal,
): Promise<CompletedPart[]> {
  const parts: CompletedPart[] = []
  const window = new RequestWindow(partsOnTheWay)
  const send = (Body: Buffer): Promise<void> => {
    const PartNumber = parts.length + 1
    const part: CompletedPart = { PartNumber }
    parts.push(part)
    return window.start(async () => {
      const command = new library.UploadPartCommand({ ...object, UploadId, PartNumber, Body })
      part.ETag = (await client.send(command, { abortSignal: signal })).ETag
    })
  }
  for (const block of first) await send(block)
  for await (const block of others) await send(block)
  await window.drain()
  return parts
}

/** `If-None-Match: *` where the service knows it. Where it does not, there is still a look just before. */
async function ifNothingIsThere(
  target: S3Target,
  signal: AbortSignal,
  write: (condition: { IfNoneMatch?: string }) => Promise<unknown>,
): Promise<void> {
  const isTakenAlready = await isThere(target, signal).catch((error: unknown) => {
    // an access key that may not list learns nothing by looking; then the condition must do
    if (statusOf(error) === 403) return false
    throw error
  })
  if (isTakenAlready) throw new ObjectExists()
  // a request that is on its way when its owner is stopped arrives all the same: then the condition decides
  requireOwned()
  try {
    await write({ IfNoneMatch: '*' }).catch((error: unknown) => {
      if (!knowsNoConditions(error)) throw error
      return write({})
    })
  } catch (error) {
    throw isTaken(error) ? new ObjectExists() : error
  }
}

export async function isThere({ library, client, object }: S3Target, signal: AbortSignal): Promise<boolean> {
  try {
    await client.send(new library.HeadObjectCommand(object), { abortSignal: signal })
    return true
  } catch (error) {
    if (isMissing(error)) return false
    throw error
  }
}
