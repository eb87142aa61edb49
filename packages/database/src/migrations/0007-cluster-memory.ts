import type { ColumnTypes } from './column-types.ts'

export const clusterMemory = ({ text, integer }: ColumnTypes): string => `
alter table "clusterPlugins" add column "isPortGiven" ${integer} not null default 0;
alter table "clusterPlugins" add column "attachedAlerts" ${text};
update "clusterPlugins" set "attachedAlerts" = 'unknown'
  where "uuid" in (select "clusterUuid" from "clusterPluginAlertPlatforms");
`
