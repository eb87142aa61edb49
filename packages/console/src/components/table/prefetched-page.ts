/** After this long a page is shown without its records. */
const maxPrefetchMs = 100

/**
 * Shows the page that was requested last, once its records have arrived: rendering a list takes longer than most reads, so it
 * is rendered once. `place` changes when something else was opened meanwhile.
 */
export class PrefetchedPage {
  readonly #place: () => string
  #requested = 0

  constructor(place: () => string) {
    this.#place = place
  }

  async show(prefetch: () => Promise<void> | undefined, show: () => void): Promise<void> {
    const request = ++this.#requested
    const place = this.#place()
    const late = new Promise<void>((resolve) => setTimeout(resolve, maxPrefetchMs))
    await Promise.race([prefetch(), late])
    if (request === this.#requested && this.#place() === place) show()
  }
}
