/** What a page is told: the part of the path behind its name, and what stands behind the question mark. */
export interface PageProps {
  readonly path: readonly string[]
  readonly search: URLSearchParams
}
