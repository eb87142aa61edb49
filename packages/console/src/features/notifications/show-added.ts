import { parseRoute } from '../../browser/route.ts'
import { FlashList } from './flash-list.ts'
import { isAbout, type Notification } from './notification.ts'

/** The flashes of this tab. */
export const flashes = new FlashList()

/** Stores new notifications and shows them above the page; what the page shows itself is read already. */
export function showAdded(added: readonly Notification[], store: (added: readonly Notification[]) => void): void {
  const marked = added.map((one) => (isOnPage(one) ? { ...one, isRead: true } : one))
  store(marked)
  flashes.add(marked.filter(({ isRead }) => !isRead))
}

/** The page of the record shows the news. */
export function isOnPage(notification: Notification, path = parseRoute(location.hash).path): boolean {
  const [, uuid] = path
  return uuid !== undefined && isAbout(notification, uuid)
}
