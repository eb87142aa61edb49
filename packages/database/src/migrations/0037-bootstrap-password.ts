import type { ColumnTypes } from './column-types.ts'

/** 1 while the password of the first start is in use; unknown, hence 0, for users that already exist. */
export const bootstrapPassword = ({ integer }: ColumnTypes): string => `
alter table "users" add column "hasBootstrapPassword" ${integer} not null default 0;
`
