import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'

/** More stops than any page has. */
const maxStops = 120

/** Somebody without a mouse: nothing is clicked, and nothing that is not focused is typed into. */
export class Typist {
  readonly page: Page

  constructor(page: Page) {
    this.page = page
  }

  /** Goes there stop by stop; whoever looks must see where they are. */
  async to(target: Locator): Promise<void> {
    await target.waitFor({ state: 'attached' })
    let before: string | undefined
    for (let stop = 0; stop < maxStops; stop++) {
      const { isHere, look } = await target.evaluate(seen)
      if (isHere) return assert.notEqual(look, before, `it cannot be seen that ${target} has the focus`)
      before = look
      await this.page.keyboard.press('Tab')
    }
    assert.fail(`the keyboard does not lead to ${target}`)
  }

  /** Typed over what is there. */
  async write(target: Locator, text: string): Promise<void> {
    await this.to(target)
    await this.page.keyboard.press('ControlOrMeta+a')
    await this.page.keyboard.insertText(text)
  }

  async press(target: Locator, key = 'Enter'): Promise<void> {
    await this.to(target)
    await this.page.keyboard.press(key)
  }

  keys = async (...keys: string[]): Promise<void> => {
    for (const key of keys) await this.page.keyboard.press(key)
  }
}

/** As much of a browser as `seen` needs: this package is compiled without its types. */
interface Drawn {
  readonly parentElement: Drawn | null
  readonly nextElementSibling: Drawn | null
}
interface Look {
  readonly content: string
  readonly boxShadow: string
  readonly outline: string
  readonly border: string
}

/** Whether it has the focus, and all that could show it: rings, shadows and borders of it and of what is drawn for it. */
function seen(element: Drawn): { isHere: boolean; look: string } {
  const { document, getComputedStyle } = globalThis as unknown as {
    document: { activeElement: unknown }
    getComputedStyle(one: Drawn, part: string | null): Look
  }
  const drawn = [element, element.parentElement, element.nextElementSibling].filter((one) => one !== null)
  const look = drawn.flatMap((one) =>
    [null, '::before', '::after'].map((part) => {
      const { content, boxShadow, outline, border } = getComputedStyle(one, part)
      return part !== null && content === 'none' ? '' : `${boxShadow} ${outline} ${border}`
    }),
  )
  return { isHere: element === document.activeElement, look: look.join('\n') }
}
