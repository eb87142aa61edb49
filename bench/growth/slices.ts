import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ServerProcess } from '@wharf/testkit'
import { type Curve, latencyCurve } from './curve.ts'
import { Caller, type Latency, latencyOf } from './latency.ts'

const sliceBytes = 16

/** One more slice of an upload that has so many already. */
export async function slicesCurve(counts: readonly number[]): Promise<Curve> {
  const folder = mkdtempSync(join(tmpdir(), 'wharf-bench-'))
  const server = new ServerProcess({ WHARF_DATA: join(folder, 'data'), WHARF_PORT: '0', WHARF_LOG_LEVEL: 'warn' })
  const caller = new Caller()
  const body = Buffer.alloc(sliceBytes, 'x')
  const points: [number, Latency][] = []
  try {
    await server.start()
    mkdirSync(join(folder, 'packages'))
    const url = await openUpload(server, join(folder, 'packages', 'file'))
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
    await latencyOf(send)
    for (const count of counts) {
      while (offset < count * sliceBytes) await send()
      points.push([count, await latencyOf(send)])
    }
  } finally {
    caller.close()
    await server.kill()
    rmSync(folder, { recursive: true })
  }
  return latencyCurve({ name: 'slices', title: 'One more slice of an upload', of: 'slices so far' }, points)
}

async function openUpload(server: ServerProcess, installPath: string): Promise<string> {
  const { hostUuid, managementNodeUuid } = server.bootstrap
  const url = `upload://file?size=${2 ** 30}`
  const params = { name: 'file', type: 'bench', hostUuid, managementNodeUuid, url, installPath }
  const { body, text } = await server.admin.post('/v1/software-packages/upload', { params })
  const [tag] = (body.systemTags ?? []) as string[]
  if (tag === undefined) throw new Error(text)
  return tag.replace('uploadUrl::', '')
}
