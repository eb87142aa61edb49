import { maxLogLines } from '@wharf/contract'

export interface LogLine {
  readonly number: number
  readonly time: string
  readonly line: string
}

export interface LogPart {
  readonly lines?: readonly LogLine[]
  readonly lastNumber?: number
}

type LoadPart = (after: number) => Promise<LogPart>

interface Page {
  /** By their position in the page. */
  readonly lines: Map<number, LogLine>
  characters: number
  isLoading: boolean
  failedAt: number | undefined
}

const pageSize = maxLogLines
/** Of the pages beyond this, those that were not visible for the longest time are removed, and loaded again when needed. */
const maxCharacters = 16 * 1024 * 1024
/** Also a line with little text takes memory. */
const lineCharacters = 100
/** A page that failed to load is not requested again at once. */
const retryMs = 5000
/** A reader who drags the scroll bar passes hundreds of pages, and reads the one where the drag ends. */
const loadIntervalMs = 100

const pageOf = (number: number): number => Math.floor((number - 1) / pageSize)

/** The lines of a log that are in memory: pages that are loaded when they become visible, and new lines as they arrive. */
export class LogPages {
  readonly #load: LoadPart
  readonly #maxCharacters: number
  /** The page that was needed last is the last. */
  readonly #pages = new Map<number, Page>()
  readonly #listeners = new Set<() => void>()
  readonly #loadIntervalMs: number
  #lastLoad = Number.NEGATIVE_INFINITY
  /** The lines that are visible when the next pages may be loaded. */
  #awaited: { first: number; last: number } | undefined
  #timer: ReturnType<typeof setTimeout> | undefined
  #count = 0
  #characters = 0
  #version = 0
  #error: unknown

  constructor(load: LoadPart, limits: { maxCharacters?: number; loadIntervalMs?: number } = {}) {
    this.#load = load
    this.#loadIntervalMs = limits.loadIntervalMs ?? loadIntervalMs
    this.#maxCharacters = limits.maxCharacters ?? maxCharacters
  }

  /** The number of the last line. */
  get count(): number {
    return this.#count
  }

  get error(): unknown {
    return this.#error
  }

  /** For useSyncExternalStore. */
  readonly subscribe = (changed: () => void): (() => void) => {
    this.#listeners.add(changed)
    return () => this.#listeners.delete(changed)
  }

  /** Changes with every change of the lines. */
  readonly getVersion = (): number => this.#version

  /** Undefined while it is not in memory. */
  line(number: number): LogLine | undefined {
    return this.#pages.get(pageOf(number))?.lines.get(number)
  }

  /** Loads the lines of a range that are missing; of ranges that follow each other quickly, the first and the last. */
  require(first: number, last: number): void {
    if (last < first) return
    const pages = Array.from({ length: pageOf(last) - pageOf(first) + 1 }, (_, index) => pageOf(first) + index)
    for (const page of pages) this.#touch(page)
    this.#evict(new Set(pages))
    if (this.#awaited !== undefined) {
      this.#awaited = { first, last }
      return
    }
    const missing = pages.filter((page) => this.#isMissing(page))
    if (missing.length === 0) return
    const waitMs = this.#lastLoad + this.#loadIntervalMs - performance.now()
    if (waitMs > 0) {
      this.#awaited = { first, last }
      this.#timer = setTimeout(() => this.#requireAwaited(), waitMs)
      return
    }
    this.#lastLoad = performance.now()
    for (const page of missing) void this.loadPage(page)
  }

  #requireAwaited(): void {
    const awaited = this.#awaited
    this.#awaited = undefined
    if (awaited) this.require(awaited.first, awaited.last)
  }

  /** Loads nothing for a reader who has left. */
  stopWaiting(): void {
    clearTimeout(this.#timer)
    this.#awaited = undefined
  }

  /** New lines, in their order. */
  append(lines: readonly LogLine[]): void {
    for (const line of lines) this.#store(line)
    this.#evict(new Set(lines.map(({ number }) => pageOf(number))))
    this.#changed()
  }

  async loadPage(page: number): Promise<void> {
    const state = this.#touch(page)
    state.isLoading = true
    try {
      const { lines = [], lastNumber = 0 } = await this.#load(page * pageSize)
      this.#count = Math.max(this.#count, lastNumber)
      // it may have been removed meanwhile
      if (this.#pages.get(page) === state) for (const line of lines) this.#store(line)
      this.#error = undefined
    } catch (error) {
      state.failedAt = performance.now()
      this.#error = error
    }
    state.isLoading = false
    this.#changed()
  }

  #isMissing(page: number): boolean {
    const state = this.#pages.get(page)
    if (state === undefined || state.isLoading) return false
    if (state.failedAt !== undefined && performance.now() - state.failedAt < retryMs) return false
    return state.lines.size < Math.min(pageSize, this.#count - page * pageSize)
  }

  #touch(page: number): Page {
    const state = this.#pages.get(page) ?? { lines: new Map(), characters: 0, isLoading: false, failedAt: undefined }
    this.#pages.delete(page)
    this.#pages.set(page, state)
    return state
  }

  #store(line: LogLine): void {
    const page = this.#touch(pageOf(line.number))
    this.#count = Math.max(this.#count, line.number)
    if (page.lines.has(line.number)) return
    page.lines.set(line.number, line)
    page.characters += line.line.length + lineCharacters
    this.#characters += line.line.length + lineCharacters
  }

  #evict(needed: ReadonlySet<number>): void {
    for (const [page, { characters, isLoading }] of this.#pages) {
      if (this.#characters <= this.#maxCharacters) return
      if (needed.has(page) || isLoading) continue
      this.#pages.delete(page)
      this.#characters -= characters
    }
  }

  #changed(): void {
    this.#version++
    for (const listener of this.#listeners) listener()
  }
}
