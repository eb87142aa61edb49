import type { ColumnTypes } from './column-types.ts'

export const hookFiles = ({ text }: ColumnTypes): string => `
alter table "softwarePackages" add column "hookFiles" ${text};
`
