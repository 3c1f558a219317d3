-- The activity log of each account is a chain that only grows: see docs/decisions/activity-chain.md.

-- The lock on the chain makes entries of one customer wait for each other, so that the chain cannot fork.
create or replace function append_activity() returns trigger language plpgsql as $$
declare
  chain activity_chains;
begin
  insert into activity_chains (owner_id) values (new.owner_id) on conflict do nothing;
  select * into chain from activity_chains where owner_id = new.owner_id for update;
  if chain.erased_at is not null then
    return null;
  end if;
  -- A session is recorded once, whichever process sees it first.
  if exists (select from activity_entries
      where owner_id = new.owner_id and contents ->> 'session' = new.contents ->> 'session') then
    return null;
  end if;
  new.number := chain.last_number + 1;
  new.salt := uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid());
  if new.list_name is not null then
    new.list_name_salt := uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid());
    new.contents := jsonb_set(new.contents, '{list,nameHash}',
      to_jsonb(encode(sha256(new.list_name_salt || convert_to(new.list_name, 'UTF8')), 'hex')));
  end if;
  new.contents_hash := sha256(new.salt || convert_to(new.contents::text, 'UTF8'));
  new.hash := sha256(chain.last_hash || uuid_send(new.owner_id) || int8send(new.number)
    || int8send((extract(epoch from new.recorded_at) * 1000)::bigint) || new.contents_hash);
  update activity_chains set last_number = new.number, last_hash = new.hash where owner_id = new.owner_id;
  return new;
end $$;

create or replace trigger append_activity before insert on activity_entries for each row execute function append_activity();

-- Whether the account of a log is really deleted: the log is closed, and the account is gone.
create or replace function activity_account_is_deleted(owner uuid) returns boolean language sql stable as $$
  select exists (select from activity_chains where owner_id = owner and erased_at is not null)
    and not exists (select from accounts where id = owner)
$$;

-- Whether the log itself says that this list was deleted.
create or replace function activity_list_is_deleted(owner uuid, list_id text) returns boolean language sql stable as $$
  select exists (select from activity_entries where owner_id = owner
    and contents ->> 'kind' = 'deletion.list' and contents -> 'list' ->> 'id' = list_id)
$$;

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

create or replace trigger guard_activity before update or delete on activity_entries
  for each row execute function guard_activity();

-- A chain moves on with its entries, which happens inside of their trigger. It is closed once, and only when its account is gone.
create or replace function guard_activity_chain() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and (pg_trigger_depth() > 1 or (old.erased_at is null and new.erased_at is not null
      and (new.owner_id, new.last_number, new.last_hash) = (old.owner_id, old.last_number, old.last_hash)
      and not exists (select from accounts where id = old.owner_id))) then
    return new;
  end if;
  raise exception 'The activity log only grows.';
end $$;

create or replace trigger guard_activity_chain before update or delete on activity_chains
  for each row execute function guard_activity_chain();

create or replace function refuse_activity_truncation() returns trigger language plpgsql as $$
begin
  raise exception 'The activity log only grows.';
end $$;

create or replace trigger refuse_truncation before truncate on activity_entries execute function refuse_activity_truncation();

create or replace trigger refuse_truncation before truncate on activity_chains execute function refuse_activity_truncation();

-- Entries that are worth a mail wait in activity_news until a worker has taken them, whichever process records them.
create or replace function note_activity_news() returns trigger language plpgsql as $$
begin
  insert into activity_news (owner_id, number, recorded_at) values (new.owner_id, new.number, new.recorded_at);
  perform request_job('notices.watch-activity', new.owner_id);
  return null;
end;
$$;

-- Support turns two-step verification off: the customer must hear of it by mail, in case it was not them who asked.
create or replace trigger note_activity_news after insert on activity_entries
  for each row when (new.contents ->> 'kind' in (
    'session.started', 'password.changed', 'password.reset', 'two_step.removed', 'api_key.created', 'api_key.rolled',
    'webhook.created', 'webhook.changed', 'plan.changed', 'plan.payment_failed'
  ))
  execute function note_activity_news();
