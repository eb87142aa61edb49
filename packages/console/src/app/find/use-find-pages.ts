import { linkTo } from '../../browser/route.ts'
import { useMessages } from '../../i18n/use-messages.ts'
import { messages as appMessages } from '../messages.ts'
import { type PageName, pages } from '../pages.ts'
import type { FindEntry } from './find-entry.ts'
import { messages } from './messages.ts'

/** The tabs of pages that are worth a jump of their own. */
const tabs = {
  candidates: ['hosts', 'candidates'],
  users: ['accounts', 'users'],
  platforms: ['alerts', 'platforms'],
  deliveries: ['chat', 'deliveries'],
  windows: ['rollouts', 'windows'],
  sign: ['access-keys', 'sign'],
} as const satisfies Record<string, readonly [PageName, string]>

export function useFindPages(): FindEntry[] {
  const t = useMessages(appMessages)
  const words = useMessages(messages)
  const names = Object.keys(pages) as PageName[]
  return [
    ...names.map(
      (name): FindEntry => ({
        id: `page ${name}`,
        kind: 'page',
        label: t.pages[name],
        words: `${appMessages.en.pages[name]} ${appMessages.zh.pages[name]}`,
        target: linkTo([name]),
      }),
    ),
    ...(Object.keys(tabs) as (keyof typeof tabs)[]).map(
      (name): FindEntry => ({
        id: `page ${tabs[name].join('/')}`,
        kind: 'page',
        label: words.tabs[name],
        detail: t.pages[tabs[name][0]],
        words: `${messages.en.tabs[name]} ${messages.zh.tabs[name]}`,
        target: linkTo(tabs[name]),
      }),
    ),
  ]
}
