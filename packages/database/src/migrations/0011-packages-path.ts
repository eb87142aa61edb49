import type { ColumnTypes } from './column-types.ts'

export const packagesPath = ({ text, integer }: ColumnTypes): string => `
alter table "hosts" add column "packagesPath" ${text};
alter table "hosts" add column "isPackagesPathGiven" ${integer} not null default 0;
`
