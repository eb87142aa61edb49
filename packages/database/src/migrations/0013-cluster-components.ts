import type { ColumnTypes } from './column-types.ts'

/** Rows of older nodes have no key, so what is there twice already refuses nothing. */
export const clusterComponents = ({ text, blob }: ColumnTypes): string => `
alter table "clusterPlugins" add column "componentKey" ${text};
create unique index "clusterPluginsByComponent" on "clusterPlugins" ("componentKey");
alter table "softwarePackages" add column "sealedCluster" ${blob};
`
