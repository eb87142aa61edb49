import type { JobNotification } from './notification.ts'

/** More would hide the page, and so would more than one failure; the notification centre has all of them. */
export const maxFlashes = 3
/** A failure stays until it is dismissed. */
export const successMs = 8000

/** The notifications that this tab shows above the page, the newest first. */
export class FlashList {
  readonly #listeners = new Set<() => void>()
  #shown: readonly JobNotification[] = []

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  read = (): readonly JobNotification[] => this.#shown

  add(added: readonly JobNotification[]): void {
    const isFailure = added.some(({ state }) => state === 'Failed')
    const before = this.#shown.filter(({ state }) => !(isFailure && state === 'Failed'))
    this.#set([...added, ...before].slice(0, maxFlashes))
    for (const { jobUuid, state } of added) if (state !== 'Failed') setTimeout(() => this.dismiss(jobUuid), successMs)
  }

  dismiss(jobUuid: string): void {
    const left = this.#shown.filter((one) => one.jobUuid !== jobUuid)
    if (left.length < this.#shown.length) this.#set(left)
  }

  clear(): void {
    this.#set([])
  }

  #set(shown: readonly JobNotification[]): void {
    this.#shown = shown
    for (const listener of this.#listeners) listener()
  }
}
