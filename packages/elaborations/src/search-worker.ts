import { workerData } from 'node:worker_threads'
import { serveTasks } from '@wharf/platform/bounded-thread-worker.ts'
import type { Elaboration } from './elaboration.ts'
import { ElaborationSet } from './elaboration-set.ts'
import { cpuDeadline, SearchTimeout } from './search-deadline.ts'
import { maxSearchMs, type SearchResult, type SearchTask } from './search-thread.ts'
import { TextSearch } from './text-search.ts'

/** The script of the thread that `SearchThread` ends when a search does not end. */
const search = new TextSearch(new ElaborationSet(workerData as readonly Elaboration[]))

serveTasks(({ text, category }: SearchTask): SearchResult => {
  try {
    return search.find(text, category, cpuDeadline(maxSearchMs))
  } catch (error) {
    if (error instanceof SearchTimeout) return 'timeout'
    throw error
  }
})
