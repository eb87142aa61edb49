/** A word that completes the command line. */
export interface Candidate {
  readonly word: string
  readonly description?: string | undefined
}
