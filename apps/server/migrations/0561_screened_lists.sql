-- Rows of files whose address is suppressed are left out like malformed ones.

-- Of the counts of an upload: the last change of suppressions that they know, null where none was looked at, and the hashes of the
-- addresses that were left out, so that the list gets exactly the rows that were counted.
alter table uploads add column screened_number bigint, add column suppressed_hashes bytea;

-- Null where it is not.
alter table list_rows add column is_suppressed boolean;

alter table validation_lists add column suppressed_emails int;
