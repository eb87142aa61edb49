import { linkTo, navigate, parseRoute, useRoute } from './route.ts'

/** A dialog that a link can open: `#/backup-storage?add=1`. A reload opens it again, with the draft of its form. */
export function useDialogLink(name: string): { isOpen: boolean; open: () => void; close: () => void } {
  const { search } = useRoute()
  return { isOpen: search.has(name), open: () => setParameter(name, '1'), close: () => setParameter(name, undefined) }
}

/** Reads the URL when it is called: the dialog may have opened another page before it closes. */
function setParameter(name: string, value: string | undefined): void {
  const { path, search } = parseRoute(location.hash)
  if (value === undefined) search.delete(name)
  else search.set(name, value)
  navigate(`${linkTo(path)}${search.size > 0 ? `?${search}` : ''}`, { replace: true })
}
