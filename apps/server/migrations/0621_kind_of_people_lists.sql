-- A busy table: see 0620.
alter table guess_lists
  add column kind text not null default 'people',
  add constraint guess_lists_kind check (kind = 'people') not valid,
  add column is_sandbox boolean not null default false,
  add column total_emails bigint not null default 0,
  add column valid_emails bigint not null default 0,
  add column invalid_emails bigint not null default 0,
  add column catch_all_emails bigint not null default 0,
  add column unknown_emails bigint not null default 0,
  add column safe_emails bigint,
  add column duplicated_emails bigint,
  add column malformed_emails bigint,
  add column missing_emails bigint,
  add column suppressed_emails integer,
  add column column_count integer,
  add column email_column integer,
  add column is_even boolean not null default false,
  add column with_headers boolean,
  add column rows_to_copy bigint,
  add column rows_copied bigint,
  add column problem text,
  add column problem_text text;

-- The same index as that of the other kind, for the statement that looks for both ends of a list.
create index guess_lists_failed on guess_lists (progress_told_at) where status = 'FAILED' and completion_noted_at is null;

-- Deleting rows through `lists` fires the triggers for each row of a partition, and none for each statement.
create function note_deletion() returns trigger language plpgsql as $$
begin
  -- A row that goes with its account needs no note of its own.
  insert into deletions_to_log (kind, owner_id, id)
    select tg_argv[0], old.owner_id, old.id where exists (select from accounts where accounts.id = old.owner_id);
  return null;
end $$;
drop trigger note_deletions on guess_lists;
create trigger note_deletions after delete on guess_lists for each row execute function note_deletion('people_list');
