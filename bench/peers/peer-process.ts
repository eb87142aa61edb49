import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

export interface PeerProcess {
  readonly url: string
  readonly pid: number
  stop(): Promise<void>
}

/** Fastify, the same statement through the bare driver, the same bytes. */
export const startBareServer = (args: string[]): Promise<PeerProcess> =>
  startPeer(new URL('./bare-server.ts', import.meta.url), args)

/** Fastify and the same bytes as this answer. */
export async function startBytesServer(answer: Response): Promise<PeerProcess> {
  // those of the connection are Node's
  const ofNode = ['connection', 'content-length', 'date', 'keep-alive']
  const headers = Object.fromEntries([...answer.headers].filter(([name]) => !ofNode.includes(name)))
  const body = Buffer.from(await answer.arrayBuffer()).toString('base64')
  return startPeer(new URL('./bytes-server.ts', import.meta.url), [JSON.stringify(headers), body])
}

/** Fastify, and what every signed call needs in its shortest form. */
export const startMinimalServer = (id: string, secret: string, answer: Buffer): Promise<PeerProcess> =>
  startPeer(new URL('./minimal-server.ts', import.meta.url), [id, secret, answer.toString('base64')])

/** A program that sends its port when it is ready. */
async function startPeer(program: URL, args: string[]): Promise<PeerProcess> {
  const child = fork(fileURLToPath(program), args, {
    env: { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '' },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  // read as it arrives, like the log of a server
  let stderr = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr = (stderr + text).slice(-4000)))
  const ended = once(child, 'close')
  const early = ended.then(([code]) => {
    throw new Error(`the peer ended with exit code ${code} before it was ready: ${stderr}`)
  })
  const [message] = (await Promise.race([once(child, 'message'), early])) as [{ port: number }]
  return {
    url: `http://127.0.0.1:${message.port}`,
    pid: child.pid ?? 0,
    stop: async () => {
      child.kill('SIGKILL')
      await ended
    },
  }
}
