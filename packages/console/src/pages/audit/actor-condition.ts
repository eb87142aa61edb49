import { messages } from '../../components/record-history/messages.ts'

/** The kinds of actors without a name, by the name that the list shows for them and by that of the API. */
const kinds = new Map(
  (['System', 'Anonymous'] as const).flatMap((kind) =>
    [kind, messages.en.kinds[kind], messages.zh.kinds[kind]].map((name) => [name.toLowerCase(), kind] as const),
  ),
)

/** Finds the entries of actors without a name by the name that the list shows. */
export function actorCondition(condition: string): string {
  const [, sign, name = ''] = /^actorName(!?=)(.*)$/s.exec(condition) ?? []
  const kind = kinds.get(name.trim().toLowerCase())
  return kind === undefined ? condition : `actorKind${sign}${kind}`
}
