-- Backups that were taken, newest last, for the operator and the metrics.
create table backups (
  id bigint generated always as identity primary key,
  started_at timestamptz not null,
  ended_at timestamptz,
  outcome text not null check (outcome in ('running', 'complete', 'failed')),
  byte_count bigint,
  row_count bigint,
  check ((outcome = 'running') = (ended_at is null))
);

-- A restore that has loaded its rows and has not yet repeated deletions. Processes do not start meanwhile.
create table unfinished_restores (
  started_at timestamptz not null
);

-- Deletions that are still to be written to the log in the file store, which a restore does not overwrite: it repeats what
-- customers deleted after the backup. Ids only.
create table deletions_to_log (
  number bigint generated always as identity primary key,
  kind text not null,
  owner_id uuid not null,
  id uuid not null,
  -- Of a replaced key: the hash that must not open anything again.
  replaced_hash text
);

create function note_deletions() returns trigger language plpgsql as $$
begin
  -- Rows that go with their customer need no note of their own.
  insert into deletions_to_log (kind, owner_id, id)
    select tg_argv[0], gone.owner_id, gone.id from gone where exists (select from users where users.id = gone.owner_id);
  return null;
end $$;
create function note_deleted_users() returns trigger language plpgsql as $$
begin
  insert into deletions_to_log (kind, owner_id, id) select 'account', gone.id, gone.id from gone;
  return null;
end $$;
create function note_deleted_list() returns trigger language plpgsql as $$
begin
  insert into deletions_to_log (kind, owner_id, id) values (tg_argv[0], new.owner_id, new.id);
  return null;
end $$;
create function note_replaced_key() returns trigger language plpgsql as $$
begin
  insert into deletions_to_log (kind, owner_id, id, replaced_hash)
    values ('replaced_key', old.owner_id, old.id, old.key_hash);
  return null;
end $$;
