import { Document, visit } from 'yaml'
import { controlCharacters, escapedCharacter } from './printable.ts'

/** YAML without line folding; readers of YAML 1.1 and 1.2 get the same values. */
export function yamlText(value: unknown): string {
  const document = new Document(value, { compat: 'yaml-1.1', aliasDuplicateObjects: false })
  visit(document, {
    Scalar(_, node) {
      // only quoted text can have escapes
      if (typeof node.value === 'string' && node.value.search(controlCharacters) >= 0) node.type = 'QUOTE_DOUBLE'
    },
  })
  return document
    .toString({ lineWidth: 0 })
    .replace(controlCharacters, (character) => (character === '\n' ? '\n' : escapedCharacter(character)))
}
