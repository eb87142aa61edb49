/** Lists within a page that have records of their own. */
export const subpages = ['alerts/platforms', 'chat/deliveries'] as const
export type Subpage = (typeof subpages)[number]

/** One level above the current place; the text of a record is its name. */
export interface BreadcrumbLevel {
  readonly path: readonly string[]
  readonly kind: 'page' | 'subpage' | 'record'
}

const isSubpage = (path: readonly string[]): boolean => subpages.some((one) => one === path.join('/'))

/** The levels above the place at `path`, from the page on. A list has none. */
export function breadcrumbLevels(path: readonly string[]): BreadcrumbLevel[] {
  return path.slice(0, -1).map((_, index): BreadcrumbLevel => {
    const above = path.slice(0, index + 1)
    return { path: above, kind: index === 0 ? 'page' : isSubpage(above) ? 'subpage' : 'record' }
  })
}
