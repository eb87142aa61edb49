/** The zone that the server writes its times in; it tells in the page itself. */
const zone = document.querySelector<HTMLMetaElement>('meta[name="wharf-timezone"]')?.content || 'UTC'

/** `Nov 5, 2026 1:02:03 AM` in the zone of the server, as an instant. */
export function parseTime(text: string, timeZone = zone): Date {
  const asUtc = Date.parse(`${text} UTC`)
  // the offset at about that time; where the clock is changed within it, at that time itself
  const near = asUtc - offsetAt(asUtc, timeZone)
  return new Date(asUtc - offsetAt(near, timeZone))
}

function offsetAt(instant: number, timeZone: string): number {
  if (timeZone === 'UTC') return 0
  const format = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' })
  const name = format.formatToParts(instant).find(({ type }) => type === 'timeZoneName')?.value ?? ''
  const [, sign = '+', hours = '0', minutes = '0'] = /GMT([+-])(\d+):?(\d+)?/.exec(name) ?? []
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000
}
