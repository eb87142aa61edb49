import { createHash } from 'node:crypto'
import { parentPort, workerData } from 'node:worker_threads'

/** The thread of `DigestInThread`: hashes the slots that it receives, in order, and reports when each is free again. */
const { memory, slotBytes, algorithm } = workerData as {
  memory: SharedArrayBuffer
  slotBytes: number
  algorithm: string
}
const hash = createHash(algorithm)

parentPort?.on('message', (order: { slot: number; bytes: number } | 'digest') => {
  if (order === 'digest') {
    parentPort?.postMessage(hash.digest('hex'))
    return
  }
  hash.update(new Uint8Array(memory, order.slot * slotBytes, order.bytes))
  parentPort?.postMessage(order.slot)
})
