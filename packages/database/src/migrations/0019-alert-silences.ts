import type { ColumnTypes } from './column-types.ts'

export const alertSilences = ({ text, integer }: ColumnTypes): string => `
create table "alertSilences" (
  "platformUuid" ${text} not null references "thirdPartyPlatforms" on delete cascade, "fingerprint" ${text} not null,
  "silencedBy" ${text} not null, "silencedDate" ${integer} not null, "silencedUntil" ${integer} not null,
  "silenceComment" ${text} not null,
  primary key ("platformUuid", "fingerprint"));
create index "alertSilencesByEnd" on "alertSilences" ("silencedUntil");
alter table "thirdPartyAlerts" add column "acknowledgedBy" ${text};
alter table "thirdPartyAlerts" add column "acknowledgedDate" ${integer};
alter table "thirdPartyAlerts" add column "acknowledgeComment" ${text};
alter table "thirdPartyAlerts" add column "isWithheld" ${integer};
`
