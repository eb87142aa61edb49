import { type ComponentType, lazy } from 'react'

/** What a page is told: the part of the path behind its name, and what stands behind the question mark. */
export interface PageProps {
  readonly path: readonly string[]
  readonly search: URLSearchParams
}

/** Each page is fetched when it is first opened. To add one, add its line here, in `sections` and in the words. */
export const pages = {
  explain: lazy(() => import('../pages/explain/Explain.tsx')),
  jobs: lazy(() => import('../pages/jobs/Jobs.tsx')),
} satisfies Record<string, ComponentType<PageProps>>

export type PageName = keyof typeof pages

/** The order of the navigation. */
export const sections = [
  { name: 'messages', pages: ['explain'] },
  { name: 'administration', pages: ['jobs'] },
] as const satisfies readonly { name: string; pages: readonly PageName[] }[]
