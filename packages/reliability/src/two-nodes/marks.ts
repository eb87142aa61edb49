import { setTimeout as delay } from 'node:timers/promises'
import { installable, type TestHost } from '@wharf/testkit'

const place = '/srv/marks'
const pollMs = 200

/**
 * What a job does on the host. A step may be run again, so it looks first whether its mark is there. Between that look and
 * the mark is time: of two owners that were at it at once both would leave one. The lock is the kernel's and goes with the
 * last process that has it: whoever does not get it has met another owner.
 */
const leaveMark = (seconds: number): string => `
exec 9>"${place}/locks/$WHARF_JOB_UUID"
flock -n 9 || echo "$WHARF_JOB_UUID" >>${place}/overlaps
echo "$WHARF_JOB_UUID $(date +%s%3N)" >>${place}/begun
HANG
if ! grep -qx "$WHARF_JOB_UUID" ${place}/left; then
  sleep ${seconds}
  echo "$WHARF_JOB_UUID" >>${place}/left
fi`

/** Only the first who comes; the next finds that somebody has been there, and goes on. */
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
    await host.exec(`mkdir -p ${place}/locks; touch ${place}/overlaps ${place}/begun ${place}/left`)
    return new Marks(host)
  }

  /** A job for each mark. */
  left = (): Promise<string[]> => this.#lines('left')

  /** Jobs that two owners were at, at once. */
  overlaps = (): Promise<string[]> => this.#lines('overlaps')

  /** When somebody began with this job for the n-th time. */
  async waitForStart(job: string, time: number, withinMs: number): Promise<number> {
    for (const deadline = performance.now() + withinMs; performance.now() < deadline; await delay(pollMs)) {
      const lines = (await this.#host.exec(`grep ${job} ${place}/begun || true`)).split('\n')
      const [, at] = lines[time - 1]?.split(' ') ?? []
      if (at !== undefined) return Number(at)
    }
    throw new Error(`nobody began for the ${time}. time with job ${job} within ${withinMs} ms`)
  }

  async #lines(name: string): Promise<string[]> {
    return (await this.#host.exec(`cat ${place}/${name}`)).split('\n').slice(0, -1)
  }
}
