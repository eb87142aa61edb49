export interface ProgressNews {
  /** 0 to 1; undefined where nobody knows. */
  readonly fraction?: number | undefined
  readonly doneBytes?: number | undefined
  readonly totalBytes?: number | undefined
  /** What happens now. */
  readonly step?: string | undefined
}

export interface Progress {
  tell(news: ProgressNews): void
  /** A line that stays, above the bar. */
  say(line: string): void
  /** Leaves the screen as it was. */
  end(): void
}

export interface Look {
  readonly label: string
  readonly unicode: boolean
  readonly now: () => number
}
