import Box from '@cloudscape-design/components/box'
import Button from '@cloudscape-design/components/button'
import FileDropzone from '@cloudscape-design/components/file-dropzone'
import FileInput from '@cloudscape-design/components/file-input'
import FormField from '@cloudscape-design/components/form-field'
import Grid from '@cloudscape-design/components/grid'
import Input from '@cloudscape-design/components/input'
import SpaceBetween from '@cloudscape-design/components/space-between'
import type { Draft } from '../../../features/uploads/drafts.ts'
import { useFormat } from '../../../i18n/use-format.ts'
import { useMessages } from '../../../i18n/use-messages.ts'
import { messages } from './messages.ts'
import { TypeInput } from './TypeInput.tsx'

interface FileDraftsProps {
  readonly drafts: readonly Draft[]
  readonly showProblems: boolean
  readonly onFiles: (files: readonly File[]) => void
  readonly onChange: (drafts: readonly Draft[]) => void
}

const columns = [
  { colspan: { default: 12, xs: 6 } },
  { colspan: { default: 10, xs: 4 } },
  { colspan: { default: 2, xs: 2 } },
]

/** The chosen files with their names and types. */
export function FileDrafts({ drafts, showProblems, onFiles, onChange }: FileDraftsProps) {
  const t = useMessages(messages)
  const format = useFormat()
  const change = (file: File, part: Partial<Draft>): void =>
    onChange(drafts.map((draft) => (draft.file === file ? { ...draft, ...part } : draft)))
  return (
    <SpaceBetween size="m">
      <FormField errorText={showProblems && drafts.length === 0 ? t.noFile : ''} stretch>
        <FileDropzone onChange={({ detail }) => onFiles(detail.value)}>
          <SpaceBetween size="xs" alignItems="center">
            <Box color="text-body-secondary">{t.drop}</Box>
            <FileInput multiple value={[]} onChange={({ detail }) => onFiles(detail.value)}>
              {t.choose}
            </FileInput>
          </SpaceBetween>
        </FileDropzone>
      </FormField>
      {drafts.map(({ file, name, type }) => (
        <div key={`${file.name} ${file.size} ${file.lastModified}`}>
          <Box variant="small" color="text-body-secondary">
            {file.name} · {format.bytes(file.size)}
          </Box>
          <Grid gridDefinition={columns}>
            <FormField
              label={drafts.length > 1 ? t.nameOf(file.name) : t.name}
              errorText={showProblems && name.trim() === '' ? t.missing.name : ''}
            >
              <Input value={name} onChange={({ detail }) => change(file, { name: detail.value })} />
            </FormField>
            <TypeInput
              label={drafts.length > 1 ? t.typeOf(file.name) : t.type}
              value={type}
              showProblem={showProblems}
              onChange={(next) => change(file, { type: next })}
            />
            <Box textAlign="right" padding={{ top: 'xl' }}>
              <Button
                variant="icon"
                iconName="close"
                formAction="none"
                ariaLabel={t.remove(file.name)}
                onClick={() => onChange(drafts.filter((draft) => draft.file !== file))}
              />
            </Box>
          </Grid>
        </div>
      ))}
      {drafts.length > 0 ? (
        <Box variant="small" color="text-body-secondary">
          {t.typeHelp}
        </Box>
      ) : null}
    </SpaceBetween>
  )
}
