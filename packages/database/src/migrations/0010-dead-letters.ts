/** How many messages were given up, without a look at all that arrived. */
export const deadLetters = (): string => `
create index "deliveriesFailed" on "deliveries" ("createDate") where "status" = 'Failed';
`
