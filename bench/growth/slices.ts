import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { openUpload } from '../open-upload.ts'
import { serverOf, temporaryFolder } from '../place.ts'
import { type Curve, latencyCurve } from './curve.ts'
import { Caller, type Latency, latencyOf } from './latency.ts'

const sliceBytes = 16

/** One more slice of an upload that has so many already. */
export async function slicesCurve(counts: readonly number[], rounds: number): Promise<Curve> {
  await using ending = new AsyncDisposableStack()
  const folder = temporaryFolder(ending)
  const server = serverOf(ending, join(folder, 'data'), { WHARF_LOG_LEVEL: 'warn' })
  const caller = new Caller()
  ending.defer(() => caller.close())
  await server.start()
  mkdirSync(join(folder, 'packages'))
  const { address: url } = await openUpload(server, join(folder, 'packages', 'file'), `size=${2 ** 30}`)
  const body = Buffer.alloc(sliceBytes, 'x')
  let offset = 0
  const send = async (): Promise<number> => {
    const headers = {
      'tus-resumable': '1.0.0',
      'content-type': 'application/offset+octet-stream',
      'content-length': String(sliceBytes),
      'upload-offset': String(offset),
    }
    offset += sliceBytes
    return caller.timed({ url, method: 'PATCH', headers, body })
  }
  // once for the compiler's sake
  await latencyOf(send, rounds)
  const points: [number, Latency][] = []
  for (const count of counts) {
    while (offset < count * sliceBytes) await send()
    points.push([count, await latencyOf(send, rounds)])
  }
  const about = { name: 'slices', title: 'One more slice of an upload', of: 'slices so far', isInterleaved: false }
  return latencyCurve(about, points)
}
