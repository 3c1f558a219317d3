-- Customers pause, resume and finish lists. PAUSED: no row is checked. FINISHING: rows without a result become UNKNOWN.
alter table validation_lists drop constraint validation_lists_status_check;
alter table validation_lists add constraint validation_lists_status_check
  check (status in ('DRAFT', 'PENDING', 'PAUSED', 'FINISHING', 'COMPLETE', 'DELETED'));
alter table guess_lists drop constraint guess_lists_status_check;
alter table guess_lists add constraint guess_lists_status_check
  check (status in ('PENDING', 'PAUSED', 'FINISHING', 'COMPLETE'));

-- Counts how often a list was resumed. Jobs carry the number of their run, so those of an earlier run end at once.
alter table validation_lists add column run_number integer not null default 0;
alter table guess_lists add column run_number integer not null default 0;
alter table validation_lists add column paused_at timestamptz;
alter table guess_lists add column paused_at timestamptz;
-- The list whose unknown rows this one verifies again.
alter table validation_lists add column source_list_id uuid;
alter table guess_lists add column source_list_id uuid;

create index validation_lists_paused on validation_lists (paused_at) where status = 'PAUSED';
create index guess_lists_paused on guess_lists (paused_at) where status = 'PAUSED';

-- Rows that mail hosts have put off, for the answers about their list. A row is worth nothing after `until`, so nothing
-- refers to this table and the sweep removes what is past.
create table list_waits (
  owner_id uuid not null,
  list_id uuid not null,
  run_number integer not null,
  host text not null,
  until timestamptz not null,
  row_count integer not null check (row_count > 0)
);
create index list_waits_of_list on list_waits (owner_id, list_id, until);
create index list_waits_by_time on list_waits (until);
