import Box from '@cloudscape-design/components/box'
import Container from '@cloudscape-design/components/container'
import { useEffect, useState } from 'react'
import './upload.css'

/**
 * While files are dragged over the window, all of it takes them. The sheet that says so takes no part: if it came between,
 * what is below would be left as it appears, and a drop at that moment would open the file instead.
 */
export function WindowDropTarget({ label, onFiles }: { label: string; onFiles: (files: readonly File[]) => void }) {
  const [isOver, setOver] = useState(false)
  useEffect(() => {
    const end = new AbortController()
    const onDrag = (event: DragEvent): void => {
      if (!event.dataTransfer?.types.includes('Files')) return
      // or the browser opens them
      event.preventDefault()
      event.dataTransfer.dropEffect = 'copy'
      setOver(event.type !== 'drop')
      if (event.type === 'drop') onFiles([...event.dataTransfer.files])
    }
    for (const name of ['dragenter', 'dragover', 'drop'] as const) document.addEventListener(name, onDrag, end)
    // from one element to the next is not out of the window
    const onLeave = ({ relatedTarget }: DragEvent): void => setOver((wasOver) => wasOver && relatedTarget !== null)
    document.addEventListener('dragleave', onLeave, end)
    // the pointer itself is heard of only when nothing is dragged: what was left may have gone meanwhile, and said nothing
    document.addEventListener('pointermove', () => setOver(false), end)
    return () => end.abort()
  }, [onFiles])
  return isOver ? (
    <div className="drop-anywhere">
      <Container>
        <Box variant="h2" textAlign="center" padding="xxl">
          {label}
        </Box>
      </Container>
    </div>
  ) : null
}
