/** Hosts, storage and clusters are added to Wharf and removed from it; other records are created and deleted. */
export type DeleteVerb = 'delete' | 'remove'
type CreateVerb = 'create' | 'add'

const others = { delete: 'remove', remove: 'delete', create: 'add', add: 'create' } as const

const verbs = <V extends CreateVerb | DeleteVerb>(verb: V) => ({ name: verb, aliases: [others[verb]] }) as const

/** The name of a command that creates a record, and the other spelling. */
export const createVerbs = (verb: CreateVerb) => verbs(verb)
/** The name of a command that deletes a record, and the other spelling. */
export const deleteVerbs = (verb: DeleteVerb) => verbs(verb)
