-- How often each kind of result occurs in a large list, so that its summary does not count all results. Large lists from
-- before have none, or too few; those are counted.
create table list_kinds (
  owner_id uuid not null,
  list_id uuid not null,
  verdict text not null,
  reason text not null,
  flags smallint,
  mx_provider text,
  emails integer not null,
  unique nulls not distinct (owner_id, list_id, reason, flags, mx_provider)
  -- Each batch of results updates the same few rows: room for their next version in the same page.
) with (fillfactor = 50);
