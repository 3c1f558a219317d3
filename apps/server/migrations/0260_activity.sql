-- What happened in a customer's account: a chain of entries per customer. Each entry's hash covers the one before and a
-- salted hash of its contents, so contents and salt can be removed while the chain still verifies.
-- No foreign key: the chain outlives the account, without contents.
create table activity_chains (
  owner_id uuid primary key,
  last_number bigint not null default 0,
  last_hash bytea not null default '',
  -- The account was deleted: the contents are removed, and no entry is added.
  erased_at timestamptz
);

create table activity_entries (
  owner_id uuid not null,
  number bigint not null,
  recorded_at timestamptz(3) not null,
  -- Null once removed, as the salt.
  contents jsonb,
  salt bytea,
  -- sha256(salt, contents as text)
  contents_hash bytea not null,
  -- sha256(hash of the entry before, owner, number, milliseconds, contents_hash)
  hash bytea not null,
  primary key (owner_id, number)
);
create index activity_entries_with_contents on activity_entries (recorded_at) where contents is not null;
create index activity_entries_of_session on activity_entries (owner_id, (contents ->> 'session'))
  where contents ->> 'session' is not null;

-- The lock on the chain makes entries of one customer wait for each other, so that the chain cannot fork.
create function append_activity() returns trigger language plpgsql as $$
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
  new.contents_hash := sha256(new.salt || convert_to(new.contents::text, 'UTF8'));
  new.hash := sha256(chain.last_hash || uuid_send(new.owner_id) || int8send(new.number)
    || int8send((extract(epoch from new.recorded_at) * 1000)::bigint) || new.contents_hash);
  update activity_chains set last_number = new.number, last_hash = new.hash where owner_id = new.owner_id;
  return new;
end $$;
create trigger append_activity before insert on activity_entries for each row execute function append_activity();

-- The one change that is allowed: removing the contents, of an erased account or after a year.
create function guard_activity() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and new.contents is null and new.salt is null
    and (new.owner_id, new.number, new.recorded_at, new.contents_hash, new.hash)
      = (old.owner_id, old.number, old.recorded_at, old.contents_hash, old.hash)
    and (old.recorded_at < now() - interval '365 days'
      or exists (select from activity_chains where owner_id = old.owner_id and erased_at is not null)) then
    return new;
  end if;
  raise exception 'The activity log only grows. Contents are removed a year later, or with the account.';
end $$;
create trigger guard_activity before update or delete on activity_entries
  for each row execute function guard_activity();

-- A chain moves on with its entries, which happens inside of their trigger, and is erased once.
create function guard_activity_chain() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and (pg_trigger_depth() > 1 or (old.erased_at is null and new.erased_at is not null
      and (new.owner_id, new.last_number, new.last_hash) = (old.owner_id, old.last_number, old.last_hash))) then
    return new;
  end if;
  raise exception 'The activity log only grows.';
end $$;
create trigger guard_activity_chain before update or delete on activity_chains
  for each row execute function guard_activity_chain();

create function refuse_activity_truncation() returns trigger language plpgsql as $$
begin
  raise exception 'The activity log only grows.';
end $$;
create trigger refuse_truncation before truncate on activity_entries execute function refuse_activity_truncation();
create trigger refuse_truncation before truncate on activity_chains execute function refuse_activity_truncation();
