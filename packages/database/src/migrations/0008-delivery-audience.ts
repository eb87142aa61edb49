import type { ColumnTypes } from './column-types.ts'

export const deliveryAudience = ({ text }: ColumnTypes): string => `
alter table "deliveries" add column "audience" ${text};
`
