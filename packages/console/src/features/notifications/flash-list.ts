import { idOf, type Notification, needsAttention } from './notification.ts'

/** More would hide the page, and so would more than one failure; the notification centre has all of them. */
export const maxFlashes = 3
/** What needs attention stays until it is dismissed. */
export const successMs = 8000

/** The notifications that this tab shows above the page, the newest first. */
export class FlashList {
  readonly #listeners = new Set<() => void>()
  #shown: readonly Notification[] = []

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  read = (): readonly Notification[] => this.#shown

  add(added: readonly Notification[]): void {
    const isFailure = added.some(needsAttention)
    const before = this.#shown.filter((one) => !(isFailure && needsAttention(one)))
    this.#set([...added, ...before].slice(0, maxFlashes))
    for (const one of added) if (!needsAttention(one)) setTimeout(() => this.dismiss(idOf(one)), successMs)
  }

  dismiss(id: string): void {
    const left = this.#shown.filter((one) => idOf(one) !== id)
    if (left.length < this.#shown.length) this.#set(left)
  }

  clear(): void {
    this.#set([])
  }

  #set(shown: readonly Notification[]): void {
    this.#shown = shown
    for (const listener of this.#listeners) listener()
  }
}
