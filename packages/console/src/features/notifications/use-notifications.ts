import { useSyncExternalStore } from 'react'
import type { Notification } from './notification.ts'
import { NotificationStore } from './notification-store.ts'

const stores = new Map<string, NotificationStore>()

export function notificationStore(userUuid: string): NotificationStore {
  const store = stores.get(userUuid) ?? new NotificationStore(userUuid)
  stores.set(userUuid, store)
  return store
}

/** After a sign-out: the browser no longer keeps them, or keeps them in its storage. */
export const closeNotificationStores = (): void => stores.clear()

export function useNotifications(userUuid: string): readonly Notification[] {
  const store = notificationStore(userUuid)
  return useSyncExternalStore(store.subscribe, store.notifications)
}
