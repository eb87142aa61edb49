/** The ref of the field that a modal focuses when it opens. A modal focuses its close button first, also with autoFocus. */
export function focusInModal(field: { focus(): void } | null): void {
  if (field !== null) setTimeout(() => field.focus())
}
