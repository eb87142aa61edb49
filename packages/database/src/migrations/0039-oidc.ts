import type { ColumnTypes } from './column-types.ts'

/** Users of identity providers, their sessions, and sign-ins that have started. */
export const oidc = ({ text, integer, blob }: ColumnTypes): string => `
alter table "users" add column "source" ${text} not null default 'Local';
alter table "users" add column "issuer" ${text};
alter table "users" add column "subject" ${text};
alter table "users" add column "isLocalLoginRestored" ${integer} not null default 0;
create unique index "usersBySubject" on "users" ("issuer", "subject");
alter table "sessions" add column "limitDate" ${integer};
create table "oidcSignIns" (
  "stateHash" ${text} primary key, "browserHash" ${text} not null, "provider" ${text} not null,
  "redirectUri" ${text} not null, "sealedChecks" ${blob} not null, "network" ${text} not null,
  "expiredDate" ${integer} not null);
create index "oidcSignInsByExpiry" on "oidcSignIns" ("expiredDate");
create index "oidcSignInsByNetwork" on "oidcSignIns" ("network", "expiredDate");
create table "oidcSessions" (
  "sessionHash" ${text} primary key references "sessions" on delete cascade, "provider" ${text} not null,
  "issuer" ${text} not null, "subject" ${text} not null, "sid" ${text}, "sealedRefreshToken" ${blob},
  "nextRefreshDate" ${integer}, "failedRefreshes" ${integer} not null);
create index "oidcSessionsByRefresh" on "oidcSessions" ("nextRefreshDate");
create index "oidcSessionsBySubject" on "oidcSessions" ("issuer", "subject");
create index "oidcSessionsBySid" on "oidcSessions" ("issuer", "sid");
create table "oidcLogoutTokens" (
  "issuer" ${text} not null, "jti" ${text} not null, "expiredDate" ${integer} not null, primary key ("issuer", "jti"));
create index "oidcLogoutTokensByExpiry" on "oidcLogoutTokens" ("expiredDate");
`
