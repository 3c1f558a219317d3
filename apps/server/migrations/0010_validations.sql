-- Verifying. Every large table begins its key with the owner, so that it can be distributed by customer.

-- A file that was previewed and may become a list. The bytes are in the file store under file_key.
create table uploads (
  owner_id uuid not null references users (id) on delete cascade,
  id uuid not null,
  file_name text not null,
  file_key text not null,
  byte_count bigint not null,
  -- How the file is written, as it was detected: see csv/dialect.ts.
  encoding text not null,
  dialect jsonb not null,
  row_count bigint not null,
  billable bigint not null,
  -- The list that was made of it: making one again answers the same.
  list_id uuid,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (owner_id, id)
);
create index uploads_by_expiry on uploads (expires_at);

create table validation_lists (
  owner_id uuid not null references users (id) on delete cascade,
  id uuid not null,
  name text not null,
  -- DRAFT: rows are being copied, invisible to everybody. DELETED: invisible again, rows removed by a job.
  status text not null check (status in ('DRAFT', 'PENDING', 'COMPLETE', 'DELETED')),
  delimiter text not null,
  -- The first row as it is written back above an export, or null when the file has none.
  header text,
  total_emails bigint not null default 0,
  -- Counted in the transaction that writes the results, so they always agree with them.
  valid_emails bigint not null default 0,
  invalid_emails bigint not null default 0,
  catch_all_emails bigint not null default 0,
  unknown_emails bigint not null default 0,
  created_at timestamptz not null,
  completed_at timestamptz,
  -- When progress was last told, so that all workers together tell it at most ten times a second.
  progress_told_at timestamptz,
  primary key (owner_id, id),
  check (valid_emails + invalid_emails + catch_all_emails + unknown_emails <= total_emails)
);
create index validation_lists_newest on validation_lists (owner_id, created_at desc, id);
create index validation_lists_drafts on validation_lists (created_at) where status in ('DRAFT', 'DELETED');

-- The customer's file, row by row, as it is written back in exports.
create table list_rows (
  owner_id uuid not null,
  list_id uuid not null,
  row_number integer not null,
  -- The row's cells in the file's own delimiter.
  cells text not null,
  -- Trimmed; null in a row whose address is malformed.
  email_address text,
  -- The row that had the same address first: its result is this row's too. Null in that first row.
  first_row_number integer,
  primary key (owner_id, list_id, row_number)
);

-- What a job works on: a few hundred rows, cut after sorting by domain so that connections are shared.
create table list_chunks (
  owner_id uuid not null,
  list_id uuid not null,
  chunk_number integer not null,
  row_numbers integer[] not null,
  primary key (owner_id, list_id, chunk_number)
);

-- One result for each distinct address, written once: a second try to write it changes nothing and counts nothing.
create table list_results (
  owner_id uuid not null,
  list_id uuid not null,
  row_number integer not null,
  verdict text not null check (verdict in ('VALID', 'INVALID', 'CATCH_ALL', 'UNKNOWN')),
  reason text not null,
  -- Flags, suggestion and stages, for whoever asks why.
  detail jsonb not null,
  checked_at timestamptz not null,
  primary key (owner_id, list_id, row_number)
);

create table single_validations (
  owner_id uuid not null references users (id) on delete cascade,
  id uuid not null,
  email_address text not null,
  status text not null check (status in ('PENDING', 'IN_PROGRESS', 'COMPLETE')),
  verdict text check (verdict in ('VALID', 'INVALID', 'CATCH_ALL', 'UNKNOWN')),
  reason text,
  detail jsonb,
  created_at timestamptz not null,
  completed_at timestamptz,
  primary key (owner_id, id),
  check ((status = 'COMPLETE') = (verdict is not null))
);
create index single_validations_newest on single_validations (owner_id, created_at desc, id);

-- Results of singles and lists together, by quarter of an hour: every time zone's days and months are sums of quarters.
-- An address counts in the quarter in which its check was asked for: as pending first, then under its verdict.
create table validation_metrics (
  owner_id uuid not null references users (id) on delete cascade,
  quarter timestamptz not null,
  pending bigint not null default 0 check (pending >= 0),
  valid bigint not null default 0,
  invalid bigint not null default 0,
  catch_all bigint not null default 0,
  unknown bigint not null default 0,
  primary key (owner_id, quarter)
);

-- What an Idempotency-Key was answered with.
create table idempotent_answers (
  owner_id uuid not null references users (id) on delete cascade,
  key text not null,
  -- Of the call and its body: the same key with other contents is a mistake that must be told.
  request_hash text not null,
  answer jsonb,
  created_at timestamptz not null,
  primary key (owner_id, key)
);
create index idempotent_answers_by_age on idempotent_answers (created_at);

-- What mail hosts were found to do, shared by all workers: whether a domain takes any name.
create table domain_facts (
  domain text primary key,
  is_catch_all boolean not null,
  proved_at timestamptz not null
);
