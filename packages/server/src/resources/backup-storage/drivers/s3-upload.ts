import type { CompletedPart, S3Client } from '@aws-sdk/client-s3'
import { RequestWindow } from '@wharf/platform/request-window.ts'
import { requireOwned } from '../../../jobs/ownership.ts'
import { isMissing, isTaken, lacksConditions, statusOf } from './s3-failure.ts'
import type { Source } from './source.ts'

const mebibyte = 1024 * 1024

/** An object has at most 10,000 parts. */
const partsPerStage = 1000
const firstBytes = 8 * mebibyte
const growthBytes = 24 * mebibyte

/**
 * The size of a part. A part is in memory until it has arrived, so parts are small; the size of the object is unknown, so
 * they grow: 10,000 of them are larger than the largest package.
 */
export const partBytes = (index: number): number => firstBytes + Math.floor(index / partsPerStage) * growthBytes

/** Besides the part that is being filled. */
const partsInFlight = 2

/** The client library, which is loaded at its first use. */
export type S3Library = typeof import('@aws-sdk/client-s3')

export interface S3Target {
  readonly library: S3Library
  readonly client: S3Client
  readonly object: { readonly Bucket: string; readonly Key: string }
}

export class ObjectExists extends Error {}

/** Creates one object from the source, completely or not at all: in one request when it is small, else in parts. */
export async function upload(target: S3Target, source: Source, signal: AbortSignal): Promise<void> {
  const blocks = source.blocks(partBytes)
  const { value: first = Buffer.alloc(0), done } = await blocks.next()
  const isAll = done || first.length < partBytes(0)
  if (!isAll) return uploadParts(target, first, blocks, signal)
  const { library, client, object } = target
  await writeUnlessExists(target, signal, (condition) =>
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
    await writeUnlessExists(target, signal, (condition) =>
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
  const window = new RequestWindow(partsInFlight)
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

/** With `If-None-Match: *` where the service supports it; otherwise only the check before protects an existing object. */
async function writeUnlessExists(
  target: S3Target,
  signal: AbortSignal,
  write: (condition: { IfNoneMatch?: string }) => Promise<unknown>,
): Promise<void> {
  const isTakenBefore = await objectExists(target, signal).catch((error: unknown) => {
    // without permission to list, the check finds nothing and only the condition protects
    if (statusOf(error) === 403) return false
    throw error
  })
  if (isTakenBefore) throw new ObjectExists()
  // a request in flight arrives although its owner was stopped; then the condition protects
  requireOwned()
  try {
    await write({ IfNoneMatch: '*' }).catch((error: unknown) => {
      if (!lacksConditions(error)) throw error
      return write({})
    })
  } catch (error) {
    throw isTaken(error) ? new ObjectExists() : error
  }
}

export async function objectExists({ library, client, object }: S3Target, signal: AbortSignal): Promise<boolean> {
  try {
    await client.send(new library.HeadObjectCommand(object), { abortSignal: signal })
    return true
  } catch (error) {
    if (isMissing(error)) return false
    throw error
  }
}
