import { useEffect } from 'react'
import { listFilterId } from '../../components/list-filter-id.ts'
import { openFind, openKeys } from './find-request.ts'
import { isMac, shortcutOf } from './shortcut.ts'

const fields = 'input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable=true]'

/** The keys that work on every page. */
export function useShortcuts(): void {
  useEffect(() => {
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [])
}

function press(event: KeyboardEvent): void {
  const target = event.target instanceof Element ? event.target : null
  const shortcut = shortcutOf(event, {
    isMac: isMac(),
    isTyping: target?.matches(fields) ?? false,
    isInDialog: document.querySelector('[role=dialog]') !== null,
  })
  const filter = document.getElementById(listFilterId)
  if (shortcut === undefined || event.isComposing || (shortcut === 'filter' && filter === null)) return
  event.preventDefault()
  if (shortcut === 'find') openFind()
  else if (shortcut === 'keys') openKeys()
  else filter?.focus()
}
