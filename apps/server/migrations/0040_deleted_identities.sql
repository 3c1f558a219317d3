-- Whoever deleted their account, as a keyed hash that names nobody: a token that was issued before does not open a new one.
create table deleted_identities (
  identity_hash text primary key,
  deleted_at timestamptz not null
);
