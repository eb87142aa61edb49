/** Counts by status without reading the rows, and lists of one status in the two orders that have an index at all. */
export const packagesByStatus = (): string => `
create index "softwarePackagesByStatus" on "softwarePackages" ("status", "createDate", "uuid");
create index "softwarePackagesByStatusAndName" on "softwarePackages" ("status", "name", "uuid");
`
