import type { AnswerOf, getElaborations } from '@wharf/contract'

/** What an entry says, under the names that the API gives them. */
export type ElaborationContent = AnswerOf<typeof getElaborations>['contents'][number]

/** One entry of a file: an explanation of a code, or of a text under that code. */
export interface Elaboration extends ElaborationContent {
  /** A text that it has to explain; checked when it is read, never shown. */
  readonly example: string | null
}

/** What is wrong with an entry, or with a whole file. */
export interface Problem {
  readonly fileName: string | null
  readonly content: string | null
  readonly reason: string
}

/** A likeness below this is a coincidence. */
export const minSimilarity = 0.9
