import type { AnswerOf, getElaborations } from '@wharf/contract'

/** The fields of an entry as the API returns them. */
export type ElaborationContent = AnswerOf<typeof getElaborations>['contents'][number]

/** One entry of a file: an explanation of a code, or of a text under that code. */
export interface Elaboration extends ElaborationContent {
  /** A text that the entry must explain; checked when the file is read, never returned. */
  readonly example: string | null
}

/** A fault of an entry, or of a whole file. */
export interface Problem {
  readonly fileName: string | null
  readonly content: string | null
  readonly reason: string
}

/** A similarity below this is a coincidence. */
export const minSimilarity = 0.9
