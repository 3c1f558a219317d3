-- What customers delete goes through deletions_to_log to the log in the file store, so that a restore deletes it again. A new kind is an
-- entry of deletion-log.ts too.

create or replace function note_deletions() returns trigger language plpgsql as $$
begin
  -- Rows that go with their account need no note of their own.
  insert into deletions_to_log (kind, owner_id, id)
    select tg_argv[0], gone.owner_id, gone.id from gone where exists (select from accounts where accounts.id = gone.owner_id);
  return null;
end $$;

create or replace trigger note_deletions after delete on single_validations referencing old table as gone
  for each statement execute function note_deletions('single');

create or replace trigger note_deletions after delete on api_keys referencing old table as gone
  for each statement execute function note_deletions('api_key');

create or replace trigger note_deletions after delete on scoped_api_keys referencing old table as gone
  for each statement execute function note_deletions('scoped_api_key');

create or replace trigger note_deletions after delete on export_links referencing old table as gone
  for each statement execute function note_deletions('export_link');

create or replace trigger note_deletions after delete on webhooks referencing old table as gone
  for each statement execute function note_deletions('webhook');

create or replace trigger note_deletions after delete on mailbox_credentials referencing old table as gone
  for each statement execute function note_deletions('mailbox');

create or replace trigger note_deletions after delete on outcome_mailboxes referencing old table as gone
  for each statement execute function note_deletions('outcome_mailbox');

create or replace trigger note_deletions after delete on outcome_feeds referencing old table as gone
  for each statement execute function note_deletions('outcome_feed');

-- An account is gone when its row is.
create or replace function note_deleted_users() returns trigger language plpgsql as $$
begin
  insert into deletions_to_log (kind, owner_id, id) select 'account', gone.id, gone.id from gone;
  return null;
end $$;

create or replace trigger note_deletions after delete on accounts referencing old table as gone
  for each statement execute function note_deleted_users();

create or replace function note_deleted_list() returns trigger language plpgsql as $$
begin
  insert into deletions_to_log (kind, owner_id, id) values (tg_argv[0], new.owner_id, new.id);
  return null;
end $$;

create or replace trigger note_deletions after update of status on validation_lists for each row
  when (new.status = 'DELETED' and old.status not in ('DRAFT', 'DELETED')) execute function note_deleted_list('list');

-- Deleting rows through `lists` fires the triggers for each row of a partition, and none for each statement.
create or replace function note_deletion() returns trigger language plpgsql as $$
begin
  -- A row that goes with its account needs no note of its own.
  insert into deletions_to_log (kind, owner_id, id)
    select tg_argv[0], old.owner_id, old.id where exists (select from accounts where accounts.id = old.owner_id);
  return null;
end $$;

create or replace trigger note_deletions after delete on guess_lists for each row execute function note_deletion('people_list');

create or replace function note_replaced_key() returns trigger language plpgsql as $$
begin
  insert into deletions_to_log (kind, owner_id, id, replaced_hash)
    values ('replaced_key', old.owner_id, old.id, old.key_hash);
  return null;
end $$;

create or replace trigger note_replaced_key after update of key_hash on scoped_api_keys for each row
  when (new.key_hash <> old.key_hash) execute function note_replaced_key();

create or replace function note_removed_suppression() returns trigger language plpgsql as $$
begin
  insert into deletions_to_log (kind, owner_id, id) values ('suppression', new.owner_id, new.id);
  return null;
end $$;

-- Those that end by themselves end again after a restore.
create or replace trigger note_deletions after update of removed_at on suppressions for each row
  when (old.removed_at is null and new.removed_at is not null and (new.ends_at is null or new.ends_at > new.removed_at))
  execute function note_removed_suppression();
