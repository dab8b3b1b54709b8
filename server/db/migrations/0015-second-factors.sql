-- Two-step verification and passkeys, in tables as better-auth 1.7's plugins `twoFactor` and `passkey` name them.
alter table identity."user" add column "twoFactorEnabled" boolean not null default false;

-- Whether whoever is signed in has shown a second factor: a code, or a passkey that asked for a PIN or fingerprint.
alter table identity."session" add column "secondFactor" boolean not null default false;

create table identity."twoFactor" (
  "id" text primary key,
  "secret" text not null,
  "backupCodes" text not null,
  "userId" text not null unique references identity."user" ("id") on delete cascade,
  "verified" boolean not null default true,
  "failedVerificationCount" integer not null default 0,
  "lockedUntil" timestamptz,
  "createdAt" timestamptz not null default current_timestamp
);

create table identity."passkey" (
  "id" text primary key,
  "name" text,
  "publicKey" text not null,
  "userId" text not null references identity."user" ("id") on delete cascade,
  "credentialID" text not null unique,
  -- Up to 2^32, and read as a number, which a bigint is not.
  "counter" double precision not null,
  "deviceType" text not null,
  "backedUp" boolean not null,
  "transports" text,
  "createdAt" timestamptz not null default current_timestamp,
  "aaguid" text
);
create index "passkey_userId_idx" on identity."passkey" ("userId");

-- Codes of authenticator apps that were tried: none is accepted a second time while it is valid.
create table identity."usedCode" (
  "userId" text not null references identity."user" ("id") on delete cascade,
  "code" text not null,
  "usedAt" timestamptz not null,
  primary key ("userId", "code")
);
