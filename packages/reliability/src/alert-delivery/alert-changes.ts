import type { SentAlert } from '@wharf/testkit'
import type { SeededRandom } from '../seeded-random.ts'

/** A change of an alert's state, which is stored once and delivered once. Its message contains `mark`. */
export type Change = SentAlert & { readonly mark: string }

const hourMs = 3_600_000
const maxNewInWebhook = 8
const maxOldInWebhook = 4

/** Of one platform, in the order in which they happen: alerts fire, some are resolved, some of these fire again. */
export function changesOf(platform: number, count: number, random: SeededRandom): Change[] {
  const changes: Change[] = []
  const open: { name: string; round: number }[] = []
  const resolved: { name: string; round: number }[] = []
  const add = ({ name, round }: { name: string; round: number }, status: 'firing' | 'resolved'): void => {
    const mark = `p${platform}n${changes.length}e`
    const startsAt = new Date(Date.UTC(2026, 10, 5) + round * hourMs).toISOString()
    changes.push({ name, status, startsAt, annotations: { summary: mark }, mark })
  }
  while (changes.length < count) {
    const ending = random.happens(0.3) ? open.shift() : undefined
    const again = random.happens(0.1) ? resolved.shift() : undefined
    const firing = again ? { ...again, round: again.round + 1 } : { name: `alert-${changes.length}`, round: 0 }
    if (ending) resolved.push(ending)
    else open.push(firing)
    add(ending ?? firing, ending ? 'resolved' : 'firing')
  }
  return changes
}

/** Groups as Alertmanager sends them: new changes, mixed with some that were sent before. */
export function webhooksOf(changes: readonly Change[], random: SeededRandom): Change[][] {
  const webhooks: Change[][] = []
  for (let sent = 0; sent < changes.length; ) {
    const upTo = Math.min(changes.length, sent + random.between(1, maxNewInWebhook))
    const webhook = changes.slice(sent, upTo)
    for (let old = random.between(0, Math.min(sent, maxOldInWebhook)); old > 0; old--)
      webhook.splice(random.between(0, webhook.length), 0, changes[random.between(0, sent - 1)] as Change)
    webhooks.push(webhook)
    sent = upTo
  }
  return webhooks
}
