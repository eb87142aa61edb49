/** Counts failed messages without reading all delivered ones. */
export const deadLetters = (): string => `
create index "deliveriesFailed" on "deliveries" ("createDate") where "status" = 'Failed';
`
