export interface ProgressUpdate {
  /** 0 to 1; undefined when unknown. */
  readonly fraction?: number | undefined
  readonly doneBytes?: number | undefined
  readonly totalBytes?: number | undefined
  /** The current step. */
  readonly step?: string | undefined
}

export interface Progress {
  update(update: ProgressUpdate): void
  /** Prints a permanent line above the bar. */
  print(line: string): void
  /** Removes the bar. */
  end(): void
}

export interface ProgressStyle {
  readonly label: string
  readonly unicode: boolean
  readonly now: () => number
}
