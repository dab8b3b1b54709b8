-- Sign-in data. better-auth 1.7 and its plugins twoFactor and passkey define the table and column
-- names.
create schema identity;

create table identity.user (
  id text primary key,
  name text not null,
  email text not null unique,
  "emailVerified" boolean not null,
  image text,
  "createdAt" timestamptz not null default current_timestamp,
  "updatedAt" timestamptz not null default current_timestamp,
  "twoFactorEnabled" boolean not null default false
);

create table identity.session (
  id text primary key,
  "expiresAt" timestamptz not null,
  token text not null unique,
  "createdAt" timestamptz not null default current_timestamp,
  "updatedAt" timestamptz not null,
  "ipAddress" text,
  "userAgent" text,
  "userId" text not null references identity."user" on delete cascade,
  -- Whether the user signed in to this session with a code or passkey, or added a factor in it.
  "secondFactor" boolean not null default false,
  -- The time at which the user last confirmed the password in this session; null if never.
  "provenAt" timestamptz
);

create index "session_createdAt_idx" on identity.session ("createdAt");
create index "session_expiresAt_idx" on identity.session ("expiresAt");
create index "session_userId_idx" on identity.session ("userId");

-- Each user's password and accounts at providers.
create table identity.account (
  id text primary key,
  "accountId" text not null,
  "providerId" text not null,
  "userId" text not null references identity."user" on delete cascade,
  "accessToken" text,
  "refreshToken" text,
  "idToken" text,
  "accessTokenExpiresAt" timestamptz,
  "refreshTokenExpiresAt" timestamptz,
  scope text,
  password text,
  "createdAt" timestamptz not null default current_timestamp,
  "updatedAt" timestamptz not null
);

create index "account_userId_idx" on identity.account ("userId");

-- Short-lived data, such as hashes of password reset links.
create table identity.verification (
  id text primary key,
  identifier text not null,
  value text not null,
  "expiresAt" timestamptz not null,
  "createdAt" timestamptz not null default current_timestamp,
  "updatedAt" timestamptz not null default current_timestamp
);

create index verification_identifier_idx on identity.verification (identifier);

-- Authenticator apps and backup codes.
create table identity."twoFactor" (
  id text primary key,
  secret text not null,
  "backupCodes" text not null,
  "userId" text not null references identity."user" on delete cascade unique,
  verified boolean not null default true,
  "failedVerificationCount" integer not null default 0,
  "lockedUntil" timestamptz,
  "createdAt" timestamptz not null default current_timestamp
);

-- Entered authenticator codes, so that none is accepted twice.
create table identity."usedCode" (
  "userId" text not null references identity."user" on delete cascade,
  code text not null,
  "usedAt" timestamptz not null,
  primary key ("userId", code)
);

create table identity.passkey (
  id text primary key,
  name text,
  "publicKey" text not null,
  "userId" text not null references identity."user" on delete cascade,
  "credentialID" text not null unique,
  -- Signature counter, up to 2^32. Not a bigint, which `pg` would return as text.
  counter double precision not null,
  "deviceType" text not null,
  "backedUp" boolean not null,
  transports text,
  "createdAt" timestamptz not null default current_timestamp,
  aaguid text
);

create index "passkey_userId_idx" on identity.passkey ("userId");

-- Firebase accounts that were removed, or whose sessions were ended. An ID token from a sign-in up
-- to the cutoff `at` starts no new session, even if the token is still valid.
create table identity."signInCutoff" (
  "accountId" text primary key,
  at timestamptz not null
);
