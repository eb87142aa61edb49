import { toDate } from '@wharf/sdk'

/** The time zone of the server's timestamps, from the page itself. */
const zone = document.querySelector<HTMLMetaElement>('meta[name="wharf-timezone"]')?.content || 'UTC'

/** `Nov 5, 2026 1:02:03 AM` in the zone of the server, as an instant. */
export const parseTime = (text: string): Date => toDate(text, { timeZone: zone })
