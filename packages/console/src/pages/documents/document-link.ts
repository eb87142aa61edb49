import { linkTo } from '../../browser/route.ts'
import { documentNames } from './messages.ts'

export const documentLink = (name: string, section?: string): string => linkTo(['documents', name], { section })

/** Where a link of a document leads; undefined for a file that the console does not have. */
export function targetOf(target: string, documentName: string): string | undefined {
  if (/^https?:\/\//.test(target)) return target
  const [, name = documentName, section] = /^(?:([\w-]+)\.md)?(?:#(.+))?$/.exec(target) ?? []
  const isKnown = /^([\w-]+\.md|#)/.test(target) && documentNames.some((known) => known === name)
  return isKnown ? documentLink(name, section) : undefined
}
