-- Facts about an address that filters and exports need for every row. Null in results from before: new columns without a
-- default rewrite nothing, so this runs while lists run.
alter table list_results add column flags smallint;
alter table list_results add column mx_provider text;
alter table list_results add column suggestion text;
-- The file that a list was made of. Null in lists from before.
alter table validation_lists add column file_name text;
alter table guess_lists add column file_name text;
-- Valid addresses that are neither disposable nor of a role, counted with the verdicts. Null in lists from before.
alter table validation_lists add column safe_emails bigint;
