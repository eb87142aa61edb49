import { once } from 'node:events'

/** For a server whose live memory is measured: it listens for a debugger on loopback only. */
export const inspectorEnvironment = { NODE_OPTIONS: '--inspect=127.0.0.1:0' }

const program = `JSON.stringify(process.memoryUsage())`
const maxAnswerMs = 30_000

/**
 * The memory that a process uses after a garbage collection, in MiB. Resident memory is less precise: it includes
 * garbage that is not collected yet.
 */
export async function liveMiB(stderr: string): Promise<number> {
  const address = /ws:\/\/\S+/.exec(stderr)?.[0]
  if (address === undefined) throw new Error(`the process has no inspector: ${stderr}`)
  const socket = new WebSocket(address)
  try {
    await once(socket, 'open', { signal: AbortSignal.timeout(maxAnswerMs) })
    await sendCommand(socket, 1, 'HeapProfiler.collectGarbage')
    const { result } = await sendCommand(socket, 2, 'Runtime.evaluate', { expression: program })
    const { heapUsed, external } = JSON.parse(result?.value ?? '{}') as { heapUsed: number; external: number }
    return (heapUsed + external) / 2 ** 20
  } finally {
    socket.close()
  }
}

interface Reply {
  readonly result?: { readonly value: string }
}

async function sendCommand(socket: WebSocket, id: number, method: string, params: object = {}): Promise<Reply> {
  socket.send(JSON.stringify({ id, method, params }))
  for (;;) {
    const [message] = (await once(socket, 'message', { signal: AbortSignal.timeout(maxAnswerMs) })) as [
      { data: string },
    ]
    const reply = JSON.parse(message.data) as { id?: number; result: Reply }
    if (reply.id === id) return reply.result
  }
}
