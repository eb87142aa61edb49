import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { JobService } from '../../jobs/service.ts'

interface Place {
  readonly settings: { readonly data: string }
}

const folderIn = ({ settings }: Place): string => join(settings.data, 'zips')

/** Where a job keeps a zip on this node: what is in it is only known at its end. */
export const zipSpoolOf = (place: Place, jobUuid: string): string => join(folderIn(place), jobUuid)

/** The zips that jobs keep on this node, without those that nobody waits for any more. */
export class ZipSpool {
  readonly #folder: string
  readonly #jobs: JobService

  constructor(deps: Place & { readonly jobs: JobService }) {
    this.#folder = folderIn(deps)
    this.#jobs = deps.jobs
  }

  /** What jobs of an earlier process have kept here, they fetch again when they go on. */
  async start(): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true })
    await mkdir(this.#folder, { mode: 0o700 })
  }

  /** Now and then: what jobs have kept here that went on at another node. */
  async removeStrays(): Promise<void> {
    for (const jobUuid of await readdir(this.#folder))
      if (!this.#jobs.runner.runs(jobUuid)) await rm(join(this.#folder, jobUuid), { force: true })
  }
}
