import { messages } from '../../components/record-history/messages.ts'

/** The kinds of actors without a name, by the name that the list shows for them in either language. */
const kinds = new Map(
  (['System', 'Anonymous'] as const).flatMap((kind) =>
    [messages.en, messages.zh].map((t) => [t.kinds[kind] as string, kind] as const),
  ),
)

/** Finds the entries of actors without a name by the name that the list shows. */
export function actorCondition(condition: string): string {
  const [, sign, name = ''] = /^actorName(!?=)(.*)$/s.exec(condition) ?? []
  const kind = kinds.get(name)
  return kind === undefined ? condition : `actorKind${sign}${kind}`
}
