-- Mailboxes that customers connected for warm-up. Tokens are encrypted with a key of the configuration.
create table mailbox_credentials (
  owner_id uuid not null references users (id) on delete cascade,
  id uuid not null,
  provider text not null check (provider in ('GOOGLE', 'MICROSOFT')),
  -- In lower case.
  account_email text not null,
  -- Null once the provider has refused them for good: what no longer opens anything is not kept.
  sealed_tokens text,
  -- Names the key, for changing keys without losing what they opened.
  key_id text,
  -- When to ask for new tokens: before the present ones expire, or later again after a failure.
  refresh_at timestamptz,
  created_at timestamptz not null,
  primary key (owner_id, id),
  unique (owner_id, provider, account_email),
  check ((sealed_tokens is null) = (key_id is null) and (sealed_tokens is null) = (refresh_at is null))
);
create index mailbox_credentials_due on mailbox_credentials (refresh_at) where refresh_at is not null;

-- Trips to a provider that have not come back yet. Coming back removes the row, so that nobody comes back twice.
create table mailbox_authorizations (
  id uuid primary key,
  owner_id uuid not null references users (id) on delete cascade,
  provider text not null check (provider in ('GOOGLE', 'MICROSOFT')),
  -- The secret half of PKCE, encrypted.
  sealed_verifier text not null,
  key_id text not null,
  expires_at timestamptz not null
);
create index mailbox_authorizations_expired on mailbox_authorizations (expires_at);

-- Tokens that were removed here and are still to be revoked at their provider. They belong to nobody any more: a customer
-- who deletes the account leaves no name here.
create table mailbox_revocations (
  -- That of the credential, under which the tokens were encrypted.
  id uuid primary key,
  provider text not null check (provider in ('GOOGLE', 'MICROSOFT')),
  -- A keyed hash of owner and mailbox: connecting it again calls the revocation off.
  grant_hash text not null,
  sealed_tokens text not null,
  key_id text not null,
  attempt_count integer not null default 0,
  attempt_at timestamptz not null,
  created_at timestamptz not null
);
create index mailbox_revocations_due on mailbox_revocations (attempt_at);
create index mailbox_revocations_grant on mailbox_revocations (grant_hash);
