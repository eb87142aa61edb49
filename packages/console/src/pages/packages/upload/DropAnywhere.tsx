import Box from '@cloudscape-design/components/box'
import FileDropzone, { useFilesDragging } from '@cloudscape-design/components/file-dropzone'
import './upload.css'

/** While files are dragged over the window, all of it takes them. */
export function DropAnywhere({ label, onFiles }: { label: string; onFiles: (files: readonly File[]) => void }) {
  const { areFilesDragging } = useFilesDragging()
  return areFilesDragging ? (
    <div className="drop-anywhere">
      <FileDropzone onChange={({ detail }) => onFiles(detail.value)}>
        <Box variant="h2">{label}</Box>
      </FileDropzone>
    </div>
  ) : null
}
