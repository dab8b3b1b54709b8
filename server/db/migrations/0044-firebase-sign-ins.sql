-- Whoever signed in at Firebase up to this time gets no new session here: their sessions were ended, or the
-- account was removed. An ID token proves a sign-in for as long as the browser keeps it.
create table identity."signInCutoff" (
  "accountId" text primary key,
  "at" timestamptz not null
);
