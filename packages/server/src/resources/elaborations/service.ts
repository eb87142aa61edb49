import { checkEntries } from '@wharf/elaborations/check-entries.ts'
import type { ElaborationContent, Problem } from '@wharf/elaborations/elaboration.ts'
import { ElaborationSet } from '@wharf/elaborations/elaboration-set.ts'
import { OutOfFuel } from '@wharf/elaborations/fuel.ts'
import { readOperatorFolder } from '@wharf/elaborations/operator-folder.ts'
import { readOwnCatalogue } from '@wharf/elaborations/own-catalogue.ts'
import { readEntries } from '@wharf/elaborations/read-entries.ts'
import { ApiError, invalid } from '@wharf/platform/api-error.ts'
import type { Log } from '@wharf/platform/log.ts'
import { SerialQueue } from '@wharf/platform/serial-queue.ts'

export interface ElaborationQuery {
  category?: string
  /** The text to explain, or the keyword to search for. */
  regex?: string
  code?: string
}

/** Explains errors from what Wharf brings along and from what the operator wrote, which goes before it. */
export class ElaborationService {
  readonly #folder: string | undefined
  readonly #log: Log
  #current: ElaborationSet | undefined
  /** One reload after another: the one that was asked for last is the one that holds. */
  readonly #reloads = new SerialQueue()

  constructor(parts: { settings: { elaborations?: string }; log: Log }) {
    this.#folder = parts.settings.elaborations
    this.#log = parts.log
  }

  /** Explanations are no reason not to start: a bad file is told in the log, and Wharf's own entries hold. */
  async start(): Promise<void> {
    try {
      await this.reload()
    } catch (error) {
      this.#log.error({ err: error, folder: this.#folder }, 'the elaborations of WHARF_ELABORATIONS cannot be used')
    }
  }

  /** Whoever asks meanwhile is answered from the old set, and afterwards from the new one. */
  async reload(): Promise<void> {
    const folder = this.#folder
    if (folder === undefined) return
    return this.#reloads.run(async () => {
      const written = await readOperatorFolder(folder)
      this.#current = new ElaborationSet([...written, ...readOwnCatalogue()])
      this.#log.info({ folder, entries: written.length }, 'elaborations read')
    })
  }

  /** Made when it is first asked for: that takes longer than most of what a start does. */
  get #set(): ElaborationSet {
    this.#current ??= new ElaborationSet(readOwnCatalogue())
    return this.#current
  }

  get categories() {
    return this.#set.categories
  }

  find({ category, regex, code }: ElaborationQuery): readonly ElaborationContent[] {
    const narrowed = category === undefined || category === '' || /^all$/i.test(category) ? undefined : category
    if (regex) return this.#explain(regex, narrowed)
    if (code) return this.#ofCode(code, narrowed)
    return narrowed === undefined ? this.#set.all : this.#set.ofCategory(narrowed)
  }

  #explain(text: string, category: string | undefined): readonly ElaborationContent[] {
    try {
      return this.#set.find(text, category)
    } catch (error) {
      if (!(error instanceof OutOfFuel)) throw error
      throw new ApiError(
        'SYS.1001',
        'GetElaborations did not end within its limit of work: shorten the text, or name a category',
      )
    }
  }

  #ofCode(code: string, category: string | undefined): readonly ElaborationContent[] {
    const [, named, number = ''] = /^(?:([^.]+)\.)?(\d+)$/.exec(code) ?? []
    if (number === '') throw invalid('code must be a number such as 1001, or one with its category such as SYS.1001')
    const whose = category ?? named
    if (whose === undefined) throw invalid(`code is ${number}: say its category too, or write it as SYS.${number}`)
    return named === undefined || named.toLowerCase() === whose.toLowerCase() ? this.#set.ofCode(whose, number) : []
  }

  /** What is wrong with a file that is not in place yet. */
  async check({ content, file }: { content?: string | undefined; file?: string | undefined }): Promise<Problem[]> {
    if (file !== undefined)
      throw new ApiError('SYS.1014', 'elaborateFile is not supported; send the file as elaborateContent')
    if (!content) throw invalid('params.elaborateContent is required')
    return checkEntries([readEntries(content, null)])
  }
}
