import type { ColumnTypes } from './column-types.ts'

/** Rows of older nodes have no key, so existing duplicates do not violate the index. */
export const clusterComponents = ({ text, blob }: ColumnTypes): string => `
alter table "clusterPlugins" add column "componentKey" ${text};
create unique index "clusterPluginsByComponent" on "clusterPlugins" ("componentKey");
alter table "softwarePackages" add column "sealedCluster" ${blob};
`
