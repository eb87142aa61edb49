import { List, optional, Uuid } from './schema.ts'

/** Creates take these beside what the new record is about. */
export const creationFields = {
  resourceUuid: optional(Uuid({ description: 'The uuid of the new record; generated when absent' })),
  tagUuids: optional(List(Uuid(), { description: 'Tags to attach to it' })),
}
