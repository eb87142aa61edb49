import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { after, before, describe, test } from 'node:test'
import {
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3'
import { ApiError } from '@wharf/platform/api-error.ts'
import { parseCidr } from '@wharf/platform/cidr.ts'
import { Secret } from '@wharf/platform/secret.ts'
import { reverseCleanup, type S3Gateway, startRadosgw, storageDriverContract } from '@wharf/testkit'
import { s3Location } from '../locations.ts'
import { S3Driver } from './s3-driver.ts'

const { signal } = new AbortController()
const Bucket = 'packages'
const prefix = 'of/wharf'

/** The gateway as others see it. */
class Past {
  readonly client: S3Client

  constructor({ endpoint, accessKeyId, secretAccessKey }: S3Gateway) {
    const credentials = { accessKeyId, secretAccessKey }
    this.client = new S3Client({ endpoint, credentials, region: 'us-east-1', forcePathStyle: true })
  }

  /** Objects, and uploads that are not whole. */
  async contents(): Promise<string[]> {
    const { Contents = [] } = await this.client.send(new ListObjectsV2Command({ Bucket }))
    const { Uploads = [] } = await this.client.send(new ListMultipartUploadsCommand({ Bucket }))
    const names = Contents.map(({ Key = '' }) => Key.replace(`${prefix}/`, ''))
    return [...names, ...Uploads.map(({ Key, UploadId }) => `${Key} in parts as ${UploadId}`)].toSorted()
  }

  async place(path: string, Body: Buffer): Promise<void> {
    await this.client.send(new PutObjectCommand({ Bucket, Key: `${prefix}/${path}`, Body }))
  }
}

const urlOf = ({ endpoint }: { endpoint: string }): string => `s3://${Bucket}/${prefix}?endpoint=${endpoint}`

const open = (gateway: S3Gateway, more: { url?: string; secretAccessKey?: string; accessKeyId?: string } = {}) =>
  new S3Driver({
    ...s3Location(more.url ?? urlOf(gateway)),
    allow: [parseCidr('127.0.0.0/8') ?? assert.fail()],
    storage: 'backup storage test',
    accessKeyId: more.accessKeyId ?? gateway.accessKeyId,
    secretAccessKey: Secret.of(more.secretAccessKey ?? gateway.secretAccessKey),
  })

async function startBucket(t: { after(work: () => Promise<void>): void }) {
  const gateway = await startRadosgw(t)
  const past = new Past(gateway)
  await past.client.send(new CreateBucketCommand({ Bucket }))
  t.after(async () => past.client.destroy())
  return { gateway, past }
}

storageDriverContract('s3', async (t) => {
  const { gateway, past } = await startBucket(t)
  const driver = open(gateway)
  const unreachable = open(gateway, { url: urlOf({ endpoint: 'http://127.0.0.1:1' }) })
  t.after(() => driver.close())
  t.after(() => unreachable.close())
  return {
    driver,
    unreachable,
    contents: () => past.contents(),
    place: (path, bytes) => past.place(path, bytes),
    reportsCapacity: false,
  }
})

describe('an s3 storage', () => {
  const cleanup = reverseCleanup({ after })
  let bucket: Awaited<ReturnType<typeof startBucket>>
  before(async () => {
    bucket = await startBucket(cleanup)
  })

  test('reports why it cannot be used, never with a secret', async () => {
    const { gateway } = bucket
    const secretAccessKey = 'not-the-secret-at-all-not-at-all'
    for (const { more, message } of [
      { more: { secretAccessKey }, message: /the secret access key is wrong/ },
      { more: { accessKeyId: 'NOBODY0000000000' }, message: /the access key is unknown/ },
      { more: { url: urlOf(gateway).replace('packages', 'elsewhere') }, message: /the bucket does not exist/ },
    ])
      await assert.rejects(open(gateway, more).check({ signal }), (error) => {
        assert.ok(error instanceof ApiError)
        assert.equal(error.code, 'BS.1500', error.message)
        assert.match(error.message, message)
        assert.ok(!JSON.stringify(error.message).includes(secretAccessKey))
        return true
      })
  })

  test('the next put or removal of a file removes what a killed upload left', async () => {
    const { gateway, past } = bucket
    const leave = async (path: string): Promise<void> => {
      const object = { Bucket, Key: `${prefix}/${path}` }
      const { UploadId } = await past.client.send(new CreateMultipartUploadCommand(object))
      await past.client.send(
        new UploadPartCommand({ ...object, UploadId, PartNumber: 1, Body: Buffer.alloc(6_000_000) }),
      )
    }
    const driver = open(gateway)
    await leave('file')
    await leave('file.other')
    assert.equal((await past.contents()).length, 2)
    await driver.put(Readable.from(['whole']), 'file', { signal })
    assert.match((await past.contents()).join(), /^file,of\/wharf\/file\.other in parts as [^,]+$/)
    await driver.remove('file.other', { signal })
    assert.deepEqual(await past.contents(), ['file'])
    await driver.remove('file', { signal })
    assert.deepEqual(await past.contents(), [])
  })

  test('applies back-pressure instead of buffering what it has not sent', async () => {
    const { gateway, past } = bucket
    const driver = open(gateway)
    const before = process.memoryUsage.rss()
    let most = 0
    const block = randomBytes(1_000_000)
    const source = Readable.from(
      (async function* () {
        for (let count = 0; count < 400; count++) {
          yield block
          most = Math.max(most, process.memoryUsage.rss())
        }
      })(),
    )
    await driver.put(source, 'large', { signal })
    assert.deepEqual(await past.contents(), ['large'])
    assert.ok(most - before < 200_000_000, `${most - before} bytes more than before`)
    await driver.remove('large', { signal })
  })
})
