import type { ColumnTypes } from './column-types.ts'

/** Authenticator apps, one for each user, whose uuid is that of the user; recovery codes; passkeys and their challenges. */
export const secondFactors = ({ text, integer, blob }: ColumnTypes): string => `
alter table "users" add column "hasSecondFactor" ${integer} not null default 0;

create table "authenticators" (
  "uuid" ${text} primary key references "users" on delete cascade, "sealedSecret" ${blob} not null,
  "lastStep" ${integer} not null, "confirmedDate" ${integer}, "createDate" ${integer} not null);

create table "recoveryCodes" (
  "userUuid" ${text} not null references "users" on delete cascade, "hash" ${text} not null,
  primary key ("userUuid", "hash"));

create table "passkeys" (
  "uuid" ${text} primary key, "userUuid" ${text} not null references "users" on delete cascade, "name" ${text} not null,
  "credentialId" ${text} not null unique, "publicKey" ${blob} not null, "counter" ${integer} not null,
  "transports" ${text} not null, "createDate" ${integer} not null, "lastUsedDate" ${integer});
create index "passkeysByUser" on "passkeys" ("userUuid", "createDate");

create table "passkeyChallenges" (
  "hash" ${text} primary key, "userUuid" ${text} not null references "users" on delete cascade,
  "purpose" ${text} not null, "expiresDate" ${integer} not null);
create index "passkeyChallengesByUser" on "passkeyChallenges" ("userUuid");
create index "passkeyChallengesByExpiry" on "passkeyChallenges" ("expiresDate");
`
