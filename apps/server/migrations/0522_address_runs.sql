-- Where the addresses of a customer's lists are, for outcomes: made when a customer reports the first ones, so that nobody else pays
-- for it. A run is of some lists; its packs hold hashes with the places of their rows, in the order of the hashes.
create table address_runs (
  owner_id uuid not null references accounts (id) on delete cascade,
  id uuid not null,
  list_ids uuid[] not null,
  row_count integer not null,
  pack_count integer not null,
  primary key (owner_id, id)
);
create table address_packs (
  owner_id uuid not null,
  run_id uuid not null,
  first_key bigint not null,
  -- Twelve bytes for each row: the hash, which of the run's lists, and the row number.
  entries bytea not null,
  primary key (owner_id, run_id, first_key),
  foreign key (owner_id, run_id) references address_runs (owner_id, id) on delete cascade
);
-- Jobs that match a customer's outcomes exclude each other by the number that they begin with.
alter table outcome_counters drop column matching_until;
