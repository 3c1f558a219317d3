-- Guessing addresses of people. Rows go with their owner: a customer's lists are short enough for that.

-- A file of people that was previewed and may become a list, as text.
create table guess_uploads (
  owner_id uuid not null references users (id) on delete cascade,
  id uuid not null,
  file_name text not null,
  contents text not null,
  -- The list that was made of it: making one again answers the same.
  list_id uuid,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (owner_id, id)
);
create index guess_uploads_by_expiry on guess_uploads (expires_at);

create table guess_lists (
  owner_id uuid not null references users (id) on delete cascade,
  id uuid not null,
  name text not null,
  status text not null check (status in ('PENDING', 'COMPLETE')),
  delimiter text not null,
  -- The first row as it is written back above an export, or null when the file has none.
  header text,
  total_people integer not null check (total_people > 0),
  -- Counted in the transaction that writes the outcome, so they always agree with it.
  found integer not null default 0,
  catch_all integer not null default 0,
  not_found integer not null default 0,
  unknown integer not null default 0,
  created_at timestamptz not null,
  completed_at timestamptz,
  -- When progress was last told, so that all workers together tell it at most ten times a second.
  progress_told_at timestamptz,
  primary key (owner_id, id),
  check (found + catch_all + not_found + unknown <= total_people)
);
create index guess_lists_newest on guess_lists (owner_id, created_at desc, id);

-- One person at one domain: asked for alone, or one of a list.
create table guesses (
  owner_id uuid not null references users (id) on delete cascade,
  id uuid not null,
  list_id uuid,
  -- Where a list has the person first.
  row_number integer,
  first_name text not null,
  last_name text not null,
  domain text not null,
  status text not null check (status in ('PENDING', 'IN_PROGRESS', 'COMPLETE')),
  -- What was asked so far, in order: a worker that takes over does not ask it again.
  tries jsonb not null default '[]',
  outcome text check (outcome in ('FOUND', 'CATCH_ALL', 'NOT_FOUND', 'UNKNOWN')),
  email_address text,
  reason text,
  -- Flags, suggestion and stages of the address that decided, for whoever asks why.
  detail jsonb,
  created_at timestamptz not null,
  completed_at timestamptz,
  primary key (owner_id, id),
  foreign key (owner_id, list_id) references guess_lists (owner_id, id) on delete cascade,
  check ((list_id is null) = (row_number is null)),
  check ((status = 'COMPLETE') = (outcome is not null)),
  check (outcome is null or (outcome in ('FOUND', 'CATCH_ALL')) = (email_address is not null))
);
create index guesses_newest on guesses (owner_id, created_at desc, id) where list_id is null;
create unique index guesses_of_list on guesses (owner_id, list_id, row_number) where list_id is not null;

-- The customer's file, row by row, as it is written back in exports.
create table guess_list_rows (
  owner_id uuid not null,
  list_id uuid not null,
  row_number integer not null,
  -- The row's cells in the file's own delimiter.
  cells text not null,
  -- The row that has the same person first, which may be this one: its guess is this row's. Null where nobody is guessed.
  person_row_number integer,
  -- Why nobody is guessed in this row.
  problem text,
  primary key (owner_id, list_id, row_number),
  foreign key (owner_id, list_id) references guess_lists (owner_id, id) on delete cascade,
  check ((person_row_number is null) = (problem is not null))
);

-- How often each pattern was proved at a domain, by all customers together. Names nobody.
create table guess_patterns (
  domain text not null,
  pattern text not null,
  proved bigint not null check (proved > 0),
  last_proved_at timestamptz not null,
  primary key (domain, pattern)
);
