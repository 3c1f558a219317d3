-- Further API keys of a customer, each limited to what it may do. Their secrets are shown once and kept as keyed hashes.
create table scoped_api_keys (
  id uuid primary key,
  owner_id uuid not null references users (id) on delete cascade,
  name text not null,
  mode text not null check (mode in ('live', 'test')),
  scopes text[] not null check (scopes <@ array['verify', 'read_results', 'manage_lists', 'guess']),
  -- Per calendar month in UTC.
  monthly_credit_limit bigint check (monthly_credit_limit > 0),
  -- Addresses and networks, as the customer wrote them; empty for everywhere.
  allowed_networks text[] not null,
  expires_at timestamptz,
  -- By which a call's key is looked up.
  key_hash text not null unique,
  -- The last four characters of the secret, to recognise it by.
  ending text not null,
  -- Of the secret that the last roll replaced.
  previous_hash text unique,
  previous_valid_until timestamptz,
  created_at timestamptz not null,
  -- Written at most once a minute.
  last_used_at timestamptz,
  check ((previous_hash is null) = (previous_valid_until is null)),
  -- Guessing has no sandbox.
  check (mode = 'live' or not 'guess' = any (scopes))
);
create index scoped_api_keys_by_owner on scoped_api_keys (owner_id, created_at);

-- The key whose work a hold is for. No reference: the money outlives the key.
alter table holds add column api_key_id uuid;

-- What the work of a key cost and holds, by the day (UTC) on which the work started. The wallet's lock protects it.
create table api_key_usage (
  owner_id uuid not null references users (id) on delete cascade,
  api_key_id uuid not null,
  day date not null,
  credits bigint not null check (credits >= 0),
  primary key (owner_id, api_key_id, day)
);
