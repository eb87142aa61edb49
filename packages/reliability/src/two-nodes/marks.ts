import { setTimeout as delay } from 'node:timers/promises'
import { installable, type TestHost } from '@wharf/testkit'

const place = '/srv/marks'
const pollMs = 200

/**
 * What a job does on the host. A step may run again, so it first checks whether its mark exists. The delay between the
 * check and the mark makes two concurrent owners leave two marks. The kernel releases the lock with the last process
 * that holds it: a process that does not get it overlaps with another owner.
 */
const leaveMark = (seconds: number): string => `
exec 9>"${place}/locks/$WHARF_JOB_UUID"
flock -n 9 || echo "$WHARF_JOB_UUID" >>${place}/overlaps
echo "$WHARF_JOB_UUID $(date +%s%3N)" >>${place}/started
HANG
if ! grep -qx "$WHARF_JOB_UUID" ${place}/left; then
  sleep ${seconds}
  echo "$WHARF_JOB_UUID" >>${place}/left
fi`

/** Blocks only the first run; the next one continues. */
const hang = `if mkdir "${place}/hung-$WHARF_JOB_UUID" 2>/dev/null; then sleep 120; fi`

/** A package whose installation and removal leave their mark after so many seconds. */
export function markingPackage(seconds: number, { hangs = false } = {}): Buffer {
  const hook = leaveMark(seconds).replace('HANG', hangs ? hang : '')
  return installable({ hooks: { install: hook, uninstall: hook } })
}

/** The marks on a host. */
export class Marks {
  readonly #host: TestHost

  private constructor(host: TestHost) {
    this.#host = host
  }

  static async on(host: TestHost): Promise<Marks> {
    await host.exec(`mkdir -p ${place}/locks; touch ${place}/overlaps ${place}/started ${place}/left`)
    return new Marks(host)
  }

  /** A job for each mark. */
  left = (): Promise<string[]> => this.#lines('left')

  /** Jobs that two owners ran concurrently. */
  overlaps = (): Promise<string[]> => this.#lines('overlaps')

  /** When this job was started for the n-th time. */
  async waitForStart(job: string, time: number, withinMs: number): Promise<number> {
    for (const deadline = performance.now() + withinMs; performance.now() < deadline; await delay(pollMs)) {
      const lines = (await this.#host.exec(`grep ${job} ${place}/started || true`)).split('\n')
      const [, at] = lines[time - 1]?.split(' ') ?? []
      if (at !== undefined) return Number(at)
    }
    throw new Error(`job ${job} was not started ${time} times within ${withinMs} ms`)
  }

  async #lines(name: string): Promise<string[]> {
    return (await this.#host.exec(`cat ${place}/${name}`)).split('\n').slice(0, -1)
  }
}
