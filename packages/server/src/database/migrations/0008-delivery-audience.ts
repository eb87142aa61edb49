import type { ColumnTypes } from './index.ts'

export const deliveryAudience = ({ text }: ColumnTypes): string => `
alter table "deliveries" add column "audience" ${text};
`
