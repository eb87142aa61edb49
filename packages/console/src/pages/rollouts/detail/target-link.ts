import { linkTo } from '../../../browser/route.ts'

/** The page of a rollout with another host selected, or none; its view and filter stay. */
export function linkToTarget(rolloutUuid: string, targetUuid: string | undefined, search: URLSearchParams): string {
  const next = new URLSearchParams(search)
  if (targetUuid === undefined) next.delete('target')
  else next.set('target', targetUuid)
  return `${linkTo(['rollouts', rolloutUuid])}${next.size === 0 ? '' : `?${next}`}`
}
