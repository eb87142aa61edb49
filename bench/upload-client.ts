import { open } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { pipeline } from 'node:stream/promises'

/** Sends files in slices, each to its address, all at the same time. Tells how long it took. Node's own client. */
const sliceBytes = 64 * 1024 * 1024
const [file = '', ...urls] = process.argv.slice(2)
const agent = new Agent({ keepAlive: true })

async function sendSlice(url: string, start: number, end: number): Promise<void> {
  const call = request(url, {
    method: 'PATCH',
    agent,
    headers: {
      'tus-resumable': '1.0.0',
      'content-type': 'application/offset+octet-stream',
      'content-length': end - start,
      'upload-offset': start,
    },
  })
  const answered = new Promise<number | undefined>((resolve, reject) => {
    call.once('error', reject)
    call.once('response', (response) => {
      response.resume()
      response.once('end', () => resolve(response.statusCode))
    })
  })
  await using handle = await open(file)
  await pipeline(handle.createReadStream({ start, end: end - 1, highWaterMark: 1 << 20, autoClose: false }), call)
  const status = await answered
  if (status !== 204) throw new Error(`a slice was answered ${status}`)
}

async function send(url: string): Promise<void> {
  await using handle = await open(file)
  const { size } = await handle.stat()
  for (let start = 0; start < size; start += sliceBytes) await sendSlice(url, start, Math.min(size, start + sliceBytes))
}

const began = performance.now()
await Promise.all(urls.map(send))
process.stdout.write(`${(performance.now() - began) / 1000}\n`)
agent.destroy()
