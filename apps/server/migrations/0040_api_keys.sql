-- The key with which a customer's programs call the API: one per customer, which the primary key holds to also when two
-- are made at the same moment.
create table api_keys (
  owner_id uuid primary key references users (id) on delete cascade,
  id uuid not null unique,
  -- A keyed hash, by which a call's key is looked up.
  key_hash text not null unique,
  -- Encrypted, for showing it to its owner again.
  sealed_key text not null,
  created_at timestamptz not null,
  -- Written at most once a minute.
  last_used_at timestamptz
);
