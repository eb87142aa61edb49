import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { ServerProcess } from '@wharf/testkit'
import { createServerProcess, temporaryFolder } from '../bench-server.ts'
import { openUpload } from '../open-upload.ts'
import { type Curve, latencyCurve } from './curve.ts'
import { Caller, type Latency, latencyOf } from './latency.ts'

const sliceBytes = 16
/** Few, because they are slices as well. */
const slicesPerRound = 100

/** One more slice of an upload that has so many already. */
export async function slicesCurve(counts: readonly number[], rounds: number): Promise<Curve> {
  await using cleanup = new AsyncDisposableStack()
  const folder = temporaryFolder(cleanup)
  const server = createServerProcess(cleanup, join(folder, 'data'), { WHARF_LOG_LEVEL: 'warn' })
  const caller = new Caller()
  cleanup.defer(() => caller.close())
  await server.start()
  mkdirSync(join(folder, 'packages'))
  // another one, once for the compiler's sake
  const { send: warmUp } = await startUpload(server, join(folder, 'packages', 'first'), caller)
  await latencyOf(warmUp, rounds, 300)
  const upload = await startUpload(server, join(folder, 'packages', 'second'), caller)
  const points: [number, Latency][] = []
  for (const count of counts) {
    while (upload.sent() < count) await upload.send()
    points.push([count, await latencyOf(upload.send, rounds, slicesPerRound)])
  }
  const about = {
    name: 'slices',
    title: 'One more slice of an upload',
    of: 'slices so far, or a few hundred more',
    isInterleaved: false,
  }
  return latencyCurve(about, points)
}

async function startUpload(server: ServerProcess, path: string, caller: Caller) {
  const { address: url } = await openUpload(server, path, `size=${2 ** 30}`)
  const body = Buffer.alloc(sliceBytes, 'x')
  let sent = 0
  const send = async (): Promise<number> => {
    const headers = {
      'tus-resumable': '1.0.0',
      'content-type': 'application/offset+octet-stream',
      'content-length': String(sliceBytes),
      'upload-offset': String(sliceBytes * sent++),
    }
    return caller.timed({ url, method: 'PATCH', headers, body })
  }
  return { send, sent: () => sent }
}
