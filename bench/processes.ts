import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** A program of this folder that tells its port when it is ready. */
export async function startProgram(name: string, args: string[], env: Record<string, string> = {}) {
  const program = fileURLToPath(new URL(name, import.meta.url))
  const child: ChildProcess = fork(program, args, {
    env: { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', ...env },
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  const [message] = (await once(child, 'message')) as [{ port: number }]
  return {
    port: message.port,
    pid: child.pid ?? 0,
    stop: async () => {
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
    },
  }
}
