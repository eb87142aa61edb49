import { parentPort } from 'node:worker_threads'
import type { ThreadReply } from './bounded-thread.ts'

/** Processor time of this thread since its start. */
export function threadCpuMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

/** The script of a `BoundedThread` calls this once, when it is ready for tasks. */
export function serveTasks<Task, Result>(perform: (task: Task) => Result): void {
  const reply = (outcome?: ThreadReply<Result>['outcome']): void =>
    parentPort?.postMessage({ cpuMs: threadCpuMs(), ...(outcome && { outcome }) } satisfies ThreadReply<Result>)
  parentPort?.on('message', (task: Task) => {
    try {
      reply({ result: perform(task) })
    } catch (error) {
      reply({ failure: error instanceof Error ? error.message : String(error) })
    }
  })
  reply()
}
