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

/** Fastify and the same bytes. */
export const startBytesServer = (bytes: Buffer): Promise<PeerProcess> =>
  startPeer(new URL('./bytes-server.ts', import.meta.url), [bytes.toString('base64')])

/** A program that tells its port when it is ready. */
async function startPeer(program: URL, args: string[]): Promise<PeerProcess> {
  const child = fork(fileURLToPath(program), args, {
    env: { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '' },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const ended = once(child, 'exit')
  const early = ended.then(([code]) => {
    throw new Error(`the peer ended with exit code ${code} before it was ready`)
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
