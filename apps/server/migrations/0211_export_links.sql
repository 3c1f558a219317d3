-- Links to exports that work without a sign-in until they expire or are revoked. Only a hash of the token is kept.
create table export_links (
  owner_id uuid not null references users (id) on delete cascade,
  id uuid not null,
  list_id uuid not null,
  token_hash text not null unique,
  -- What the link gives: verdicts, rows, format.
  export jsonb not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (owner_id, id)
);
create index export_links_of_list on export_links (owner_id, list_id);
