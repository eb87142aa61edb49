import assert from 'node:assert/strict'
import { hash, randomBytes } from 'node:crypto'
import { createReadStream, readFileSync, truncateSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { installable, PackageFixture, startTrial, TrialTrace, trialOperations } from '@wharf/testkit'
import { ConnectionError } from '../error.ts'
import { Wharf, type WharfOptions } from '../wharf.ts'
import type { UploadSource } from './open-source.ts'
import type { UploadProgress } from './upload.ts'

const KiB = 1024
const fixture = await PackageFixture.start({ after }, { extend: trialOperations })
const { folder, server } = fixture
const { accessKeyId: id, accessKeySecret: secret, hostUuid } = server.bootstrap
const bytes = new Uint8Array(installable({ more: [{ name: 'blob', data: randomBytes(900 * KiB) }] }))
const md5 = hash('md5', bytes, 'hex')
const file = join(folder, 'source.tar')
writeFileSync(file, bytes)

const retry = { firstPauseMs: 5, maxPauseMs: 50 }
const clientWith = (more: Partial<WharfOptions> = {}): Wharf =>
  new Wharf({ url: server.url, accessKey: { id, secret }, retry, ...more })
const wharf = clientWith()

let targets = 0
const newTarget = () => ({
  hostUuid,
  type: 'demo',
  installPath: join(folder, `target-${targets++}.tar`),
  sliceBytes: 200 * KiB,
})

const chunks = function* (): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 70_001) yield bytes.subarray(at, at + 70_001)
}
const sources: Record<string, () => UploadSource> = {
  'a path': () => file,
  'a File': () => new File([bytes], 'file.tar', { lastModified: 1 }),
  'a Blob': () => new Blob([bytes]),
  'a web stream': () => ReadableStream.from(chunks()),
  "a stream of Node's": () => createReadStream(file),
}
for (const [name, source] of Object.entries(sources)) {
  test(`uploads ${name} to a host`, async () => {
    const reported: UploadProgress[] = []
    const { installPath, ...more } = newTarget()
    const options = { ...more, installPath, onProgress: (progress: UploadProgress) => void reported.push(progress) }
    const { status, md5sum, size } = await wharf.upload(source(), options).done
    assert.deepEqual([status, md5sum, size], ['Uploaded', md5, bytes.length])
    assert.ok(readFileSync(installPath).equals(bytes))
    const sent = reported.filter(({ phase }) => phase === 'sending').map(({ sentBytes }) => sentBytes)
    assert.deepEqual([sent[0], sent.at(-1)], [0, bytes.length])
    assert.ok(sent.length > 4, 'progress is reported during the upload')
    assert.equal(reported.at(-1)?.totalBytes, bytes.length)
  })

  test(`uploads ${name} to backup storage over breaking connections`, async () => {
    let calls = 0
    const breaking: typeof fetch = async (input, init) => {
      if (init?.method !== 'PATCH' || calls++ % 2 === 0) return fetch(input, init)
      // loses half of the requests, and the responses of the others
      if (calls % 4 === 0) await fetch(input, init)
      throw new TypeError('fetch failed')
    }
    const options = { toBackupStorage: true, type: 'demo', installPath: `${targets++}.tar`, sliceBytes: 100 * KiB }
    const { status, md5sum } = await clientWith({ fetch: breaking }).upload(source(), options).done
    assert.deepEqual([status, md5sum], ['Uploaded', md5])
    assert.ok(calls > 10)
  })
}

for (const [name, source] of Object.entries(sources))
  test(`reports the bytes of ${name} within a slice`, async () => {
    const sent: number[] = []
    const onProgress = ({ sentBytes }: UploadProgress): void => void sent.push(sentBytes)
    const upload = wharf.upload(source(), { ...newTarget(), sliceBytes: 8 * KiB * KiB, onProgress })
    await upload.done
    assert.ok(
      sent.some((one) => one > 0 && one < bytes.length),
      `${sent}`,
    )
  })

test('pauses and resumes without sending bytes twice', async () => {
  const sent: number[] = []
  const recording: typeof fetch = async (input, init) => {
    const response = await fetch(input, init)
    if (init?.method === 'PATCH') sent.push((init.body as Blob).size)
    return response
  }
  let wasPaused = false
  const paused = Promise.withResolvers<void>()
  const upload = clientWith({ fetch: recording }).upload(new Blob([bytes]), {
    ...newTarget(),
    onProgress: ({ sentBytes }) => {
      if (sentBytes < 400 * KiB || wasPaused) return
      wasPaused = true
      upload.pause()
      paused.resolve()
    },
  })
  await paused.promise
  assert.ok(upload.isPaused)
  const atPause = sent.length
  await new Promise((resolve) => setTimeout(resolve, 100))
  assert.equal(sent.length, atPause)
  assert.equal((await wharf.softwarePackages.one(upload.packageUuid ?? '')).status, 'Uploading')
  upload.resume()
  assert.equal((await upload.done).md5sum, md5)
  assert.equal(
    sent.reduce((a, b) => a + b, 0),
    bytes.length,
  )
})

test('resumes the upload of another process for the same file and target', async () => {
  const target = newTarget()
  const stopping = new AbortController()
  const first = wharf.upload(file, {
    ...target,
    signal: stopping.signal,
    onProgress: ({ sentBytes }) => sentBytes >= 400 * KiB && stopping.abort(),
  })
  await assert.rejects(first.done, { name: 'AbortError' })
  const reported: UploadProgress[] = []
  const second = clientWith().upload(file, { ...target, onProgress: (progress) => reported.push(progress) })
  assert.equal((await second.done).md5sum, md5)
  assert.equal(second.packageUuid, first.packageUuid)
  assert.ok((reported[0]?.sentBytes ?? 0) >= 200 * KiB, 'it starts where the first stopped')
})

test('a changed file is a new upload', async () => {
  const changed = join(folder, 'changed.tar')
  writeFileSync(changed, bytes)
  const target = newTarget()
  const stopping = new AbortController()
  const first = wharf.upload(changed, {
    ...target,
    signal: stopping.signal,
    onProgress: ({ sentBytes }) => sentBytes > 0 && stopping.abort(),
  })
  await assert.rejects(first.done, { name: 'AbortError' })
  utimesSync(changed, 1, 1)
  const second = wharf.upload(changed, target)
  await second.done.catch(() => {})
  assert.notEqual(second.packageUuid, first.packageUuid)
})

test('a stream with a resumeKey skips the bytes that the server has', async () => {
  const target = { ...newTarget(), resumeKey: 'a known stream' }
  const stopping = new AbortController()
  const first = wharf.upload(createReadStream(file), {
    ...target,
    signal: stopping.signal,
    onProgress: ({ sentBytes }) => sentBytes >= 400 * KiB && stopping.abort(),
  })
  await assert.rejects(first.done, { name: 'AbortError' })
  const second = wharf.upload(createReadStream(file), target)
  assert.equal((await second.done).md5sum, md5)
  assert.equal(second.packageUuid, first.packageUuid)
})

test('uploads an empty file', async () => {
  const options = { ...newTarget(), name: 'empty', installPath: join(folder, 'empty') }
  assert.equal((await wharf.upload(new Blob([]), options).done).size, 0)
  const streamed = { ...options, installPath: join(folder, 'empty-stream') }
  assert.equal((await wharf.upload(new Blob([]).stream(), streamed).done).size, 0)
})

test('a digest mismatch ends the upload', async () => {
  for (const digest of [{ md5: '0'.repeat(32) }, { sha256: '0'.repeat(64) }]) {
    const upload = wharf.upload(file, { ...newTarget(), ...digest })
    await assert.rejects(upload.done, { code: 'SoftwarePackage.1132', status: 400 })
    assert.equal((await wharf.softwarePackages.one(upload.packageUuid ?? '')).status, 'UploadFailed')
  }
  const sha256 = hash('sha256', bytes)
  assert.equal((await wharf.upload(file, { ...newTarget(), md5, sha256 }).done).md5sum, md5)
  await assert.rejects(wharf.upload(file, { ...newTarget(), sha256: 'abc' }).done, TypeError)
})

test('a package that the server refuses fails with its job', async () => {
  const broken = new File([bytes.subarray(0, 500_000)], 'broken.tar')
  await assert.rejects(wharf.upload(broken, newTarget()).done, (error: { code?: string; jobUuid?: string }) => {
    return error.code === 'SoftwarePackage.1132' && error.jobUuid !== undefined
  })
})

test('a terminated upload rejects', async () => {
  const upload = wharf.upload(file, { ...newTarget(), onProgress: ({ sentBytes }) => sentBytes > 0 && upload.pause() })
  while (!upload.isPaused) await new Promise((resolve) => setTimeout(resolve, 10))
  await upload.terminate()
  upload.resume()
  await assert.rejects(upload.done, { code: 'SoftwarePackage.1133', status: 410 })
})

test('terminating a complete upload cancels its job', async () => {
  const trace = new TrialTrace({ after })
  const { job } = await wharf.start(startTrial, { script: JSON.stringify({ trace: trace.file, holdAt: 'run second' }) })
  const working = Promise.withResolvers<void>()
  // replaces the upload's own job, which would end too soon
  const held: typeof fetch = (input, init) =>
    String(input).includes('subjectUuid') ? Promise.resolve(Response.json(jobs)) : fetch(input, init)
  const jobs = { inventories: [{ uuid: job?.uuid }], success: true, error: null }
  const upload = clientWith({ fetch: held }).upload(file, {
    ...newTarget(),
    onProgress: ({ phase }) => phase === 'processing' && working.resolve(),
  })
  await working.promise
  await upload.terminate()
  await assert.rejects(upload.done, { code: 'SYS.1017', jobUuid: job?.uuid })
  assert.deepEqual(trace.lines, ['run first', 'undo second', 'undo first'])
})

test('terminate throws when the server is unreachable', async () => {
  const failing: typeof fetch = (input, init) =>
    init?.method === 'DELETE' ? Promise.reject(new TypeError('fetch failed')) : fetch(input, init)
  const stopping = new AbortController()
  const upload = clientWith({ fetch: failing }).upload(file, {
    ...newTarget(),
    signal: stopping.signal,
    onProgress: ({ sentBytes }) => sentBytes > 0 && upload.pause(),
  })
  while (!upload.isPaused) await new Promise((resolve) => setTimeout(resolve, 10))
  await assert.rejects(upload.terminate(), ConnectionError)
  stopping.abort()
  await assert.rejects(upload.done, { name: 'AbortError' })
})

test('a terminated upload ends while its stream is idle', async () => {
  const idle = new ReadableStream<Uint8Array>({ start: (stream) => stream.enqueue(bytes.slice(0, 10)) })
  const upload = wharf.upload(idle, { ...newTarget(), name: 'idle' })
  await upload.terminate()
  await assert.rejects(upload.done, { code: 'SoftwarePackage.1133' })
})

test('a file that is truncated during the upload fails immediately', async () => {
  const shrinking = join(folder, 'shrinking.tar')
  writeFileSync(shrinking, bytes)
  let isSent = false
  const onProgress = ({ sentBytes }: UploadProgress): void => {
    if (sentBytes > 0 && !isSent) truncateSync(shrinking, 1000)
    isSent ||= sentBytes > 0
  }
  const upload = wharf.upload(shrinking, { ...newTarget(), onProgress })
  await assert.rejects(upload.done, { name: 'UploadError', message: 'the file was truncated during the upload' })
})

test('a custom fetch may keep the chunks of the body', async () => {
  const large = join(folder, 'large')
  writeFileSync(large, randomBytes(9 * 1024 * KiB + 17))
  const buffering: typeof fetch = async (input, init) => {
    if (!(init?.body instanceof ReadableStream)) return fetch(input, init)
    return fetch(input, { ...init, body: new Blob(await Array.fromAsync(init.body)) })
  }
  const options = { toBackupStorage: true, type: 'demo', installPath: 'large' }
  const { md5sum } = await clientWith({ fetch: buffering }).upload(large, options).done
  assert.equal(md5sum, hash('md5', readFileSync(large), 'hex'))
})

test('missing options are rejected before anything is sent', async () => {
  const { hostUuid: _, ...withoutHost } = newTarget()
  await assert.rejects(wharf.upload(file, withoutHost).done, TypeError)
  await assert.rejects(wharf.upload(file, { ...newTarget(), toBackupStorage: true }).done, TypeError)
  await assert.rejects(wharf.upload(join(folder, 'missing'), newTarget()).done, { code: 'ENOENT' })
})
