import Box from '@cloudscape-design/components/box'
import Container from '@cloudscape-design/components/container'
import { useEffect, useState } from 'react'
import './upload.css'

/**
 * Accepts files that are dragged over the window. The overlay ignores pointer events: otherwise it would trigger
 * dragleave when it appears, and a drop at that moment would open the file in the browser.
 */
export function WindowDropTarget({ label, onFiles }: { label: string; onFiles: (files: readonly File[]) => void }) {
  const [isOver, setOver] = useState(false)
  useEffect(() => {
    const end = new AbortController()
    const onDrag = (event: DragEvent): void => {
      if (!event.dataTransfer?.types.includes('Files')) return
      // prevents the browser from opening them
      event.preventDefault()
      event.dataTransfer.dropEffect = 'copy'
      setOver(event.type !== 'drop')
      if (event.type === 'drop') onFiles([...event.dataTransfer.files])
    }
    for (const name of ['dragenter', 'dragover', 'drop'] as const) document.addEventListener(name, onDrag, end)
    // leaving the window has no related target
    const onLeave = ({ relatedTarget }: DragEvent): void => setOver((wasOver) => wasOver && relatedTarget !== null)
    document.addEventListener('dragleave', onLeave, end)
    // pointermove fires only when nothing is dragged: a removed element sends no dragleave
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
