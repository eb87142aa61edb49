import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'

/** More tab stops than any page has. */
const maxStops = 120

/** Drives a page by keyboard alone: no clicks, and only the focused element receives input. */
export class KeyboardDriver {
  readonly page: Page

  constructor(page: Page) {
    this.page = page
  }

  /** Past the bars, by the first stop of the page, unless a field of the content has the focus already. */
  async skipToContent(): Promise<void> {
    await this.page.locator('main h1').first().waitFor()
    if ((await this.page.locator('main :focus').count()) > 0) return
    await this.keys('Tab', 'Enter')
    await this.page.locator('main h1:focus').waitFor()
  }

  /** Moves the focus by Tab; the focus must be visible at the target. */
  async focus(target: Locator): Promise<void> {
    await target.waitFor({ state: 'attached' })
    let element = await target.elementHandle()
    let before: string | undefined
    for (let step = 0; step < maxStops; step++) {
      let state = await element?.evaluate(stateOf)
      // the page has replaced the element meanwhile
      if (state === 'removed') {
        element = await target.elementHandle()
        state = await element?.evaluate(stateOf)
      }
      if (state === 'focused') {
        const style = await element?.evaluate(focusStyle)
        return assert.notEqual(style, before, `${target} has the focus but does not show it`)
      }
      before ??= await element?.evaluate(focusStyle)
      await this.page.keyboard.press('Tab')
    }
    assert.fail(`${target} cannot be reached by keyboard`)
  }

  /** Replaces the current text. */
  async write(target: Locator, text: string): Promise<void> {
    await this.focus(target)
    await this.page.keyboard.press('ControlOrMeta+a')
    await this.page.keyboard.insertText(text)
  }

  async press(target: Locator, key = 'Enter'): Promise<void> {
    await this.focus(target)
    await this.page.keyboard.press(key)
  }

  keys = async (...keys: string[]): Promise<void> => {
    for (const key of keys) await this.page.keyboard.press(key)
  }
}

/** As much of a browser as these functions need: this package is compiled without its types. */
interface StyledElement {
  readonly isConnected: boolean
  readonly parentElement: StyledElement | null
  readonly nextElementSibling: StyledElement | null
}
interface FocusStyle {
  readonly content: string
  readonly boxShadow: string
  readonly outline: string
  readonly border: string
}

/** One question, because every Tab waits for its answer. */
function stateOf(element: StyledElement): 'removed' | 'focused' | 'unfocused' {
  const { document } = globalThis as unknown as { document: { activeElement: unknown } }
  if (!element.isConnected) return 'removed'
  return document.activeElement === element ? 'focused' : 'unfocused'
}

/** The styles that can show the focus: outlines, shadows and borders of the element and its neighbours. */
function focusStyle(element: StyledElement): string {
  const { getComputedStyle } = globalThis as unknown as {
    getComputedStyle(one: StyledElement, part: string | null): FocusStyle
  }
  const elements = [element, element.parentElement, element.nextElementSibling].filter((one) => one !== null)
  const styles = elements.flatMap((one) =>
    [null, '::before', '::after'].map((part) => {
      const { content, boxShadow, outline, border } = getComputedStyle(one, part)
      return part !== null && content === 'none' ? '' : `${boxShadow} ${outline} ${border}`
    }),
  )
  return styles.join('\n')
}
