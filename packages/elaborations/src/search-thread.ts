import { BoundedThread, ThreadOverrun } from '@wharf/platform/bounded-thread.ts'
import type { Elaboration, ElaborationContent } from './elaboration.ts'
import { SearchTimeout } from './search-deadline.ts'

/** Processor time of one search; one of 10,000 entries in a text of 16 KiB takes 2 ms. */
export const maxSearchMs = 100

const threadLimits = {
  /** The engine cannot be interrupted within a pattern; the largest ones that an operator may write need 300 ms. */
  cpuMs: 1000,
  wallMs: 10_000,
  heapMegabytes: 256,
}

export interface SearchTask {
  readonly text: string
  readonly category: string | undefined
}

export type SearchResult = readonly ElaborationContent[] | 'timeout'

/** `TextSearch` in a bounded thread, which starts with the first search: no text and no pattern delays the server. */
export class SearchThread {
  readonly #thread: BoundedThread<SearchTask, SearchResult>
  #last: Promise<unknown> = Promise.resolve()

  constructor(entries: readonly Elaboration[]) {
    this.#thread = new BoundedThread(new URL('search-worker.ts', import.meta.url), threadLimits, entries)
  }

  /** Throws SearchTimeout. */
  async find(text: string, category?: string): Promise<readonly ElaborationContent[]> {
    const search = this.#thread.run({ text, category })
    this.#last = search.catch(() => {})
    const result = await search.catch((error: unknown): SearchResult => {
      if (error instanceof ThreadOverrun) return 'timeout'
      throw error
    })
    if (result === 'timeout') throw new SearchTimeout(`the search takes longer than ${maxSearchMs} ms`)
    return result
  }

  /** Ends the thread after the searches that have started. */
  async close(): Promise<void> {
    await this.#last
    await this.#thread.close()
  }
}
