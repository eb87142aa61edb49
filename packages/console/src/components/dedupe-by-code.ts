import type { ElaborationContent } from '@wharf/sdk'

const placeholder = /\{[a-zA-Z]\w*\}/g

/** The catalogue has an entry for each text of a code; keeps only the entry for the code itself. */
export function dedupeByCode(contents: readonly ElaborationContent[]): ElaborationContent[] {
  const byCode = Map.groupBy(contents, ({ category, code }) => `${category}.${code}`)
  return [...byCode.values()].flatMap((entries) => {
    const chosen = entries.find(isOfTheCode) ?? entries.find((entry) => !hasPlaceholder(entry)) ?? entries[0]
    return chosen === undefined ? [] : withoutPlaceholders(chosen)
  })
}

export const withoutPlaceholders = (content: ElaborationContent): ElaborationContent => ({
  ...content,
  message_en: plain(content.message_en),
  message_cn: plain(content.message_cn),
})

const isOfTheCode = ({ category, code, regex }: ElaborationContent): boolean => regex === `${category}\\.${code}`

const hasPlaceholder = ({ message_en, message_cn }: ElaborationContent): boolean =>
  `${message_en} ${message_cn}`.search(placeholder) >= 0

/** Without a matched text there are no values for the placeholders. */
const plain = (message: string | null): string | null => message?.replaceAll(placeholder, '…') ?? null
