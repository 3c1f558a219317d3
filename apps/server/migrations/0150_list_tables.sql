-- What an export must know of the file to keep its columns in line. Null in lists from before.
alter table validation_lists add column column_count integer;
alter table validation_lists add column email_column integer;
-- Whether every row has column_count cells, none that a spreadsheet would run and none without an email: such rows are
-- written back as they are stored.
alter table validation_lists add column is_even boolean not null default false;
-- Rows of the file that are not verified, by why not. Null in lists from before.
alter table validation_lists add column duplicated_emails bigint;
alter table validation_lists add column malformed_emails bigint;
alter table validation_lists add column missing_emails bigint;
