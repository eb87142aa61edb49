import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { JobService } from '../../jobs/service.ts'

interface DataFolder {
  readonly settings: { readonly data: string }
}

const folderIn = ({ settings }: DataFolder): string => join(settings.data, 'zips')

/** The file in which a job stores a zip on this node: the contents of a zip are listed at its end. */
export const zipSpoolOf = (deps: DataFolder, jobUuid: string): string => join(folderIn(deps), jobUuid)

/** The zips that jobs store on this node. */
export class ZipSpool {
  readonly #folder: string
  readonly #jobs: JobService

  constructor(deps: DataFolder & { readonly jobs: JobService }) {
    this.#folder = folderIn(deps)
    this.#jobs = deps.jobs
  }

  /** Removes the zips of an earlier process: its jobs fetch them again when they resume. */
  async start(): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true })
    await mkdir(this.#folder, { mode: 0o700 })
  }

  /** Called periodically: removes the zips of jobs that have moved to another node. */
  async removeStrays(): Promise<void> {
    for (const jobUuid of await readdir(this.#folder))
      if (!this.#jobs.runner.isRunningJob(jobUuid)) await rm(join(this.#folder, jobUuid), { force: true })
  }
}
