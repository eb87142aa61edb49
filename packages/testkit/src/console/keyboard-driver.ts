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

  /** Moves the focus by Tab; the focus must be visible at the target. */
  async focus(target: Locator): Promise<void> {
    await target.waitFor({ state: 'attached' })
    let before: string | undefined
    for (let step = 0; step < maxStops; step++) {
      const { isFocused, style } = await target.evaluate(focusState)
      if (isFocused) return assert.notEqual(style, before, `${target} has the focus but does not show it`)
      before = style
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

/** As much of a browser as `seen` needs: this package is compiled without its types. */
interface StyledElement {
  readonly parentElement: StyledElement | null
  readonly nextElementSibling: StyledElement | null
}
interface FocusStyle {
  readonly content: string
  readonly boxShadow: string
  readonly outline: string
  readonly border: string
}

/** Whether it has the focus, and the styles that can show it: outlines, shadows and borders of it and its neighbours. */
function focusState(element: StyledElement): { isFocused: boolean; style: string } {
  const { document, getComputedStyle } = globalThis as unknown as {
    document: { activeElement: unknown }
    getComputedStyle(one: StyledElement, part: string | null): FocusStyle
  }
  const elements = [element, element.parentElement, element.nextElementSibling].filter((one) => one !== null)
  const style = elements.flatMap((one) =>
    [null, '::before', '::after'].map((part) => {
      const { content, boxShadow, outline, border } = getComputedStyle(one, part)
      return part !== null && content === 'none' ? '' : `${boxShadow} ${outline} ${border}`
    }),
  )
  return { isFocused: element === document.activeElement, style: style.join('\n') }
}
