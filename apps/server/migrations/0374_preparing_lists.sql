-- A long list exists before its rows: a job copies them. PREPARING: they are being copied. FAILED: they could not be.
alter table validation_lists drop constraint validation_lists_status_check;
alter table validation_lists add constraint validation_lists_status_check
  check (status in ('DRAFT', 'PREPARING', 'FAILED', 'PENDING', 'PAUSED', 'FINISHING', 'COMPLETE', 'DELETED'));

-- Null unless the list was prepared by a job. The customer called the first row of the file a header.
alter table validation_lists add column with_headers boolean;
alter table validation_lists add column rows_to_copy bigint;
alter table validation_lists add column rows_copied bigint;
-- The code of the error that made the list FAILED.
alter table validation_lists add column problem text;

-- The same as 0282, with lists that are being prepared.
drop index validation_lists_running;
create index validation_lists_running on validation_lists (created_at)
  where status in ('PREPARING', 'PENDING', 'FINISHING');
drop index guess_lists_running;
create index guess_lists_running on guess_lists (created_at) where status in ('PREPARING', 'PENDING', 'FINISHING');

-- What a list costs and needs is known before its rows are copied. Null in uploads of earlier versions.
alter table uploads add column billable_below_first bigint;
alter table uploads add column has_real_domain boolean;
