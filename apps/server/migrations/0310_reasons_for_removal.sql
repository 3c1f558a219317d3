-- Whether the account of a log is really deleted: the log is closed, and the customer is gone.
create function activity_account_is_deleted(owner uuid) returns boolean language sql stable as $$
  select exists (select from activity_chains where owner_id = owner and erased_at is not null)
    and not exists (select from users where id = owner)
$$;

-- Whether the log itself says that this list was deleted.
create function activity_list_is_deleted(owner uuid, list_id text) returns boolean language sql stable as $$
  select exists (select from activity_entries where owner_id = owner
    and contents ->> 'kind' = 'deletion.list' and contents -> 'list' ->> 'id' = list_id)
$$;
create index activity_entries_of_deleted_list on activity_entries (owner_id, (contents -> 'list' ->> 'id'))
  where contents ->> 'kind' = 'deletion.list';

-- The changes that are allowed: removing all contents of a deleted account or after a year, and the name of a list that was deleted.
-- `assay activity verify` asks for the same reasons.
create or replace function guard_activity() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and new.list_name is null and new.list_name_salt is null
    and (new.owner_id, new.number, new.recorded_at, new.contents_hash, new.hash)
      = (old.owner_id, old.number, old.recorded_at, old.contents_hash, old.hash)
    and ((new.contents is not distinct from old.contents and new.salt is not distinct from old.salt
        and activity_list_is_deleted(old.owner_id, old.contents -> 'list' ->> 'id'))
      or (new.contents is null and new.salt is null
        and (old.recorded_at < now() - interval '365 days' or activity_account_is_deleted(old.owner_id)))) then
    return new;
  end if;
  raise exception 'The activity log only grows. Contents are removed a year later, or with the account.';
end $$;

-- A log is closed once, and only when its account is gone.
create or replace function guard_activity_chain() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and (pg_trigger_depth() > 1 or (old.erased_at is null and new.erased_at is not null
      and (new.owner_id, new.last_number, new.last_hash) = (old.owner_id, old.last_number, old.last_hash)
      and not exists (select from users where id = old.owner_id))) then
    return new;
  end if;
  raise exception 'The activity log only grows.';
end $$;
