import { useRef } from 'react'
import { useWharf } from '../../../data/wharf-context.tsx'
import { useMessages } from '../../../i18n/use-messages.ts'
import type { Column } from '../column.ts'
import { messages } from '../messages.ts'
import type { TableSource } from '../table-source.ts'
import { readTags, userTagField } from './read-tags.ts'
import { TagLinks } from './TagLinks.tsx'
import { useRecordTags } from './use-record-tags.ts'

interface TaggedTable<R> {
  readonly column: Column<R>
  /** The same records; an export also reads their tags. */
  readonly source: TableSource<R>
}

/** A column with the user tags of each record, which are records of their own. */
export function useTagColumn<R>(
  source: TableSource<R>,
  { keyOf, path, isShown, knownTags }: TagOptions<R>,
): TaggedTable<R> {
  const t = useMessages(messages)
  const wharf = useWharf()
  const shown = useRecordTags(source.records.map(keyOf), isShown)
  const exported = useRef(new Map<string, readonly string[]>())
  const tagsOf = (record: R): readonly string[] => shown.get(keyOf(record)) ?? exported.current.get(keyOf(record)) ?? []
  return {
    column: {
      field: userTagField as string & keyof R,
      label: t.tags,
      suggestions: knownTags,
      cell: (record) => <TagLinks tags={tagsOf(record)} path={path} />,
      text: (record) => tagsOf(record).join(', '),
    },
    source: {
      ...source,
      isSortable: (field) => field !== userTagField && source.isSortable(field),
      readAll: isShown ? readAllWithTags : source.readAll,
    },
  }

  async function* readAllWithTags(signal: AbortSignal): AsyncGenerator<readonly R[]> {
    for await (const records of source.readAll(signal)) {
      const tags = await readTags(wharf, records.map(keyOf), signal)
      for (const [uuid, texts] of tags) exported.current.set(uuid, texts)
      yield records
    }
  }
}

interface TagOptions<R> {
  readonly keyOf: (record: R) => string
  readonly path: readonly string[]
  readonly knownTags: readonly string[]
  readonly isShown: boolean
}
