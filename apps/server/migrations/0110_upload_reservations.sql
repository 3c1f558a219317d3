-- Room for a file that is still arriving. It counts towards its owner's room for files like a stored upload, so that files
-- that arrive at the same time cannot take more together than the customer has. The id is that of the upload to come.
create table upload_reservations (
  owner_id uuid not null references users (id) on delete cascade,
  id uuid not null,
  byte_count bigint not null check (byte_count > 0),
  -- A reservation this old belongs to a process that is gone: it counts no more, and the sweep removes what it left.
  expires_at timestamptz not null,
  primary key (owner_id, id)
);
create index upload_reservations_by_expiry on upload_reservations (expires_at);
