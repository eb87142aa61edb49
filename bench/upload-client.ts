import { once } from 'node:events'
import { type FileHandle, open } from 'node:fs/promises'
import { Agent, type ClientRequest, request } from 'node:http'

/** Prints a line when it is ready, and sends a file in slices to each address, all at the same time, once it reads one. */
const sliceBytes = 64 * 1024 * 1024
/** As the SDK: large enough that the calls do not count, small enough to stay in the caches of a processor. */
const pieceBytes = 512 * 1024
const [path = '', ...urls] = process.argv.slice(2)
const agent = new Agent({ keepAlive: true })

/** Two pieces in turn: one is read while the other is sent. */
async function writeSlice(file: FileHandle, call: ClientRequest, start: number, end: number): Promise<void> {
  const pieces = [Buffer.allocUnsafe(pieceBytes), Buffer.allocUnsafe(pieceBytes)]
  let sent = Promise.resolve()
  for (let at = start; at < end; at += pieceBytes) {
    const piece = pieces.reverse()[0] as Buffer
    const { bytesRead } = await file.read(piece, 0, Math.min(pieceBytes, end - at), at)
    await sent
    sent = new Promise((resolve) => call.write(piece.subarray(0, bytesRead), () => resolve()))
  }
  await sent
  call.end()
}

async function sendSlice(file: FileHandle, url: string, start: number, end: number): Promise<void> {
  const headers = {
    'tus-resumable': '1.0.0',
    'content-type': 'application/offset+octet-stream',
    'content-length': end - start,
    'upload-offset': start,
  }
  const call = request(url, { method: 'PATCH', agent, headers })
  const answered = new Promise<number | undefined>((resolve, reject) => {
    call.once('error', reject)
    call.once('response', (response) => {
      response.resume()
      response.once('end', () => resolve(response.statusCode))
    })
  })
  await writeSlice(file, call, start, end)
  const status = await answered
  if (status !== 204) throw new Error(`a slice was answered ${status}`)
}

async function send(url: string): Promise<void> {
  await using file = await open(path)
  const { size } = await file.stat()
  for (let at = 0; at < size; at += sliceBytes) await sendSlice(file, url, at, Math.min(size, at + sliceBytes))
}

process.stdout.write('ready\n')
await once(process.stdin, 'data')
await Promise.all(urls.map(send))
agent.destroy()
process.stdin.destroy()
