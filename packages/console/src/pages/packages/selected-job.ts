interface Job {
  readonly uuid?: string
}

/** The job in the URL is older than the listed ones, so it needs its own query. */
export const isUnlisted = (listed: readonly Job[], uuid: string | undefined): boolean =>
  uuid !== undefined && !listed.some((job) => job.uuid === uuid)

/** The job in the URL, or else the newest; none while the one in the URL is loading. */
export const selectedJob = <J extends Job>(
  jobs: readonly J[],
  uuid: string | undefined,
  isLoading: boolean,
): J | undefined => jobs.find((job) => job.uuid === uuid) ?? (isLoading ? undefined : jobs[0])
