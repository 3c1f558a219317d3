-- The name of the list that an entry is about, apart from the contents: customers choose how long lists are kept, and the name goes
-- with the list while the entry stays for its year. The contents hold a salted hash of the name, so the chain covers it.
alter table activity_entries add column list_name text, add column list_name_salt bytea;
create index activity_entries_with_list_name on activity_entries (owner_id) where list_name is not null;

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

-- The changes that are allowed: removing the name of a list at any time, and all contents of an erased account or after a year.
create or replace function guard_activity() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and new.list_name is null and new.list_name_salt is null
    and (new.owner_id, new.number, new.recorded_at, new.contents_hash, new.hash)
      = (old.owner_id, old.number, old.recorded_at, old.contents_hash, old.hash)
    and ((new.contents is not distinct from old.contents and new.salt is not distinct from old.salt)
      or (new.contents is null and new.salt is null
        and (old.recorded_at < now() - interval '365 days'
          or exists (select from activity_chains where owner_id = old.owner_id and erased_at is not null)))) then
    return new;
  end if;
  raise exception 'The activity log only grows. Contents are removed a year later, or with the account.';
end $$;
