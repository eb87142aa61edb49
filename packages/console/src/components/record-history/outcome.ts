export interface Ended {
  readonly outcome?: string | undefined
  readonly status?: number | null | undefined
}

/** The HTTP status of a call that started a job. */
const acceptedStatus = 202

/** A job has an entry when it is accepted and another one, with its outcome, when it ends. */
export const outcomeOf = ({ outcome = '', status }: Ended): string =>
  outcome === 'Success' && status === acceptedStatus ? 'Accepted' : outcome
