import { useSyncExternalStore } from 'react'

let isOpen = false
const listeners = new Set<() => void>()

/** Whether the notification centre is open; the button in the top bar is outside the layout that contains the panel. */
export const notificationPanel = {
  set(open: boolean): void {
    isOpen = open
    for (const listener of listeners) listener()
  },
  toggle(): void {
    this.set(!isOpen)
  },
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useNotificationPanel = (): boolean => useSyncExternalStore(subscribe, () => isOpen)
