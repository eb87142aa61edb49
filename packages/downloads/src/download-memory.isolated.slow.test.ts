import assert from 'node:assert/strict'
import { constants, PerformanceObserver } from 'node:perf_hooks'
import { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type TestContext, test } from 'node:test'
import { Worker } from 'node:worker_threads'
import { releaseBuffer } from '@wharf/platform/release-buffer.ts'
import { openDownload } from './download.ts'
import { allowedAddress, downloadOptions } from './testing/source.ts'

const MiB = 2 ** 20
const totalBytes = 512 * MiB

/** In its own thread, so that the source does not share the reader's event loop. */
const source = `
const { createServer } = require('node:http')
const { Readable } = require('node:stream')
const { parentPort, workerData } = require('node:worker_threads')
const block = Buffer.alloc(2 ** 20, 'wharf')
createServer((_, response) => {
  response.writeHead(200, { 'content-length': workerData.totalBytes })
  let left = workerData.totalBytes / block.length
  new Readable({ read() { this.push(left-- > 0 ? block : null) } }).pipe(response)
}).listen(0, workerData.address, function () { parentPort.postMessage(this.address().port) })
`

/** The full collections of this process since the call. */
function countCollections(t: TestContext): () => number {
  let count = 0
  const observer = new PerformanceObserver((list) => {
    for (const { detail } of list.getEntries() as unknown as { detail: { kind: number } }[])
      if (detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR) count++
  })
  observer.observe({ entryTypes: ['gc'] })
  t.after(() => observer.disconnect())
  return () => count
}

test('512 MiB to a sink that is sometimes slow take constant memory and few full collections', async (t) => {
  const worker = new Worker(source, { eval: true, workerData: { totalBytes, address: allowedAddress } })
  t.after(() => worker.terminate())
  const port = await new Promise<number>((resolve) => worker.once('message', resolve))
  const { stream } = await openDownload(new URL(`http://${allowedAddress}:${port}/large.tar`), downloadOptions())
  const collections = countCollections(t)
  let seenBytes = 0
  let settledRss = 0
  let peakRss = 0
  const sink = new Writable({
    write(chunk: Buffer, _, done) {
      const isMebibyte = Math.floor(seenBytes / MiB) !== Math.floor((seenBytes + chunk.length) / MiB)
      seenBytes += chunk.length
      releaseBuffer(chunk)
      if (isMebibyte) peakRss = Math.max(peakRss, process.memoryUsage.rss())
      if (settledRss === 0 && seenBytes > 128 * MiB) settledRss = peakRss
      if (isMebibyte && Math.floor(seenBytes / MiB) % 64 === 0) setTimeout(done, 20)
      else done()
    },
  })
  await pipeline(stream, sink)
  assert.equal(seenBytes, totalBytes)
  assert.ok(collections() < 5, `${collections()} full collections`)
  const grownMiB = (peakRss - settledRss) / MiB
  assert.ok(grownMiB < 128, `grew by ${grownMiB} MiB after the first 128 MiB, to ${peakRss / MiB} MiB`)
})
