import { readBuiltInCatalogue } from '@wharf/elaborations/built-in-catalogue.ts'
import { checkEntries } from '@wharf/elaborations/check-entries.ts'
import type { Elaboration, ElaborationContent, Problem } from '@wharf/elaborations/elaboration.ts'
import { ElaborationSet } from '@wharf/elaborations/elaboration-set.ts'
import { readOperatorFolder } from '@wharf/elaborations/operator-folder.ts'
import { readEntries } from '@wharf/elaborations/read-entries.ts'
import { SearchTimeout } from '@wharf/elaborations/search-deadline.ts'
import { SearchThread } from '@wharf/elaborations/search-thread.ts'
import { ApiError, invalid } from '@wharf/platform/api-error.ts'
import type { Log } from '@wharf/platform/log.ts'
import { SerialQueue } from '@wharf/platform/serial-queue.ts'

interface Loaded {
  readonly set: ElaborationSet
  readonly search: SearchThread
}

const load = (entries: readonly Elaboration[]): Loaded => ({
  set: new ElaborationSet(entries),
  search: new SearchThread(entries),
})

/** Explains errors by the operator's entries and Wharf's own; the operator's take precedence. */
export class ElaborationService {
  readonly #folder: string | undefined
  readonly #log: Log
  readonly #reloads = new SerialQueue()
  #loaded: Loaded | undefined

  constructor(deps: { settings: { elaborations?: string }; log: Log }) {
    this.#folder = deps.settings.elaborations
    this.#log = deps.log
  }

  /** A bad file does not prevent the start: it is logged, and Wharf's own entries are used. */
  async start(): Promise<void> {
    try {
      await this.reload()
    } catch (error) {
      this.#log.error({ err: error, folder: this.#folder }, 'the elaborations of WHARF_ELABORATIONS cannot be used')
    }
  }

  async stop(): Promise<void> {
    await this.#loaded?.search.close()
  }

  /** Searches that have started finish with the old entries. Concurrent reloads run in the order of their calls. */
  async reload(): Promise<void> {
    const folder = this.#folder
    if (folder === undefined) return
    await this.#reloads.run(async () => {
      const written = await readOperatorFolder(folder)
      const previous = this.#loaded
      this.#loaded = load([...written, ...readBuiltInCatalogue()])
      void previous?.search.close()
      this.#log.info({ folder, entries: written.length }, 'elaborations loaded')
    })
  }

  /** Loaded at the first use, because it takes longer than most steps of a start. */
  get #current(): Loaded {
    this.#loaded ??= load(readBuiltInCatalogue())
    return this.#loaded
  }

  get categories() {
    return this.#current.set.categories
  }

  /** By category and code; all of a category without a code, and all entries without both. */
  list({ category, code }: { category?: string; code?: string }): readonly ElaborationContent[] {
    const wanted = wantedCategory(category)
    if (code) return this.#ofCode(code, wanted)
    return wanted === undefined ? this.#current.set.all : this.#current.set.ofCategory(wanted)
  }

  /** The entry that explains a text, else the entries that contain its words. */
  async search(text: string, category?: string): Promise<readonly ElaborationContent[]> {
    try {
      return await this.#current.search.find(text, wantedCategory(category))
    } catch (error) {
      if (!(error instanceof SearchTimeout)) throw error
      throw new ApiError(
        'SYS.1001',
        'GetElaborations did not end within its time limit: shorten the text, or name a category',
        { cause: error },
      )
    }
  }

  #ofCode(code: string, category: string | undefined): readonly ElaborationContent[] {
    const [, prefix, number = ''] = /^(?:([^.]+)\.)?(\d+)$/.exec(code) ?? []
    if (number === '') throw invalid('code must be a number such as 1001, or one with its category such as SYS.1001')
    const wanted = category ?? prefix
    if (wanted === undefined) throw invalid(`code is ${number}: add its category, or write it as SYS.${number}`)
    if (prefix !== undefined && prefix.toLowerCase() !== wanted.toLowerCase()) return []
    return this.#current.set.ofCode(wanted, number)
  }

  /** The problems of a file that is not in use yet. */
  async check({ content, file }: { content?: string | undefined; file?: string | undefined }): Promise<Problem[]> {
    if (file !== undefined)
      throw new ApiError('SYS.1014', 'elaborateFile is not supported; send the file as elaborateContent')
    if (!content) throw invalid('params.elaborateContent is required')
    return checkEntries([readEntries(content, null)])
  }
}

const wantedCategory = (category: string | undefined): string | undefined =>
  category === undefined || category === '' || /^all$/i.test(category) ? undefined : category
