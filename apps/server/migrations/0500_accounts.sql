-- What owns lists, results, keys and credits. People act for it through memberships.
create table accounts (
  id uuid primary key,
  -- What it may do: see the contract's STANDINGS.
  standing text not null default 'open' check (standing in ('open', 'throttled', 'held', 'suspended')),
  guessing_enabled boolean not null default false,
  -- How many days after their creation its lists, single checks and guesses are deleted. Null: never.
  retention_days smallint check (retention_days in (7, 30, 90)),
  created_at timestamptz not null
);
create index accounts_restricted on accounts (id) where standing <> 'open';
create index accounts_with_retention on accounts (id) where retention_days is not null;

create table memberships (
  account_id uuid not null references accounts (id) on delete cascade,
  user_id uuid not null references users (id) on delete cascade,
  -- See the contract's ACCOUNT_ROLES.
  role text not null check (role in ('owner', 'admin', 'member', 'viewer', 'billing')),
  -- Which mails about the account the person wants.
  wants_list_mails boolean not null default true,
  wants_balance_mails boolean not null default true,
  wants_plan_mails boolean not null default true,
  created_at timestamptz not null,
  primary key (account_id, user_id)
);
create index memberships_of_user on memberships (user_id);

-- Older processes write these columns of users, insert people without an account and delete people with everything that is theirs.
-- What they write is passed on, in both directions, until the columns are dropped.
create function open_own_account() returns trigger language plpgsql as $$
begin
  insert into accounts (id, standing, guessing_enabled, retention_days, created_at)
    values (new.id, new.standing, new.guessing_enabled, new.retention_days, new.created_at)
    on conflict do nothing;
  insert into memberships (account_id, user_id, role, wants_list_mails, wants_balance_mails, wants_plan_mails, created_at)
    values (new.id, new.id, 'owner', new.wants_list_mails, new.wants_balance_mails, new.wants_plan_mails, new.created_at)
    on conflict do nothing;
  return null;
end $$;
create trigger open_own_account after insert on users for each row execute function open_own_account();

create function follow_user() returns trigger language plpgsql as $$
begin
  update accounts
    set standing = new.standing, guessing_enabled = new.guessing_enabled, retention_days = new.retention_days
    where id = new.id and (standing, guessing_enabled, retention_days)
      is distinct from (new.standing, new.guessing_enabled, new.retention_days);
  update memberships
    set wants_list_mails = new.wants_list_mails, wants_balance_mails = new.wants_balance_mails,
      wants_plan_mails = new.wants_plan_mails
    where account_id = new.id and user_id = new.id and (wants_list_mails, wants_balance_mails, wants_plan_mails)
      is distinct from (new.wants_list_mails, new.wants_balance_mails, new.wants_plan_mails);
  return null;
end $$;
create trigger follow_user
  after update of standing, guessing_enabled, retention_days, wants_list_mails, wants_balance_mails, wants_plan_mails on users
  for each row execute function follow_user();

create function follow_account() returns trigger language plpgsql as $$
begin
  update users
    set standing = new.standing, guessing_enabled = new.guessing_enabled, retention_days = new.retention_days
    where id = new.id and (standing, guessing_enabled, retention_days)
      is distinct from (new.standing, new.guessing_enabled, new.retention_days);
  return null;
end $$;
create trigger follow_account after update of standing, guessing_enabled, retention_days on accounts
  for each row execute function follow_account();

create function follow_membership() returns trigger language plpgsql as $$
begin
  update users
    set wants_list_mails = new.wants_list_mails, wants_balance_mails = new.wants_balance_mails,
      wants_plan_mails = new.wants_plan_mails
    where id = new.user_id and id = new.account_id and (wants_list_mails, wants_balance_mails, wants_plan_mails)
      is distinct from (new.wants_list_mails, new.wants_balance_mails, new.wants_plan_mails);
  return null;
end $$;
create trigger follow_membership after update of wants_list_mails, wants_balance_mails, wants_plan_mails on memberships
  for each row execute function follow_membership();

create function close_own_account() returns trigger language plpgsql as $$
begin
  delete from accounts where id = old.id;
  return null;
end $$;
create trigger close_own_account after delete on users for each row execute function close_own_account();

-- The triggers hold a lock, so nobody signs up until this transaction ends.
insert into accounts (id, standing, guessing_enabled, retention_days, created_at)
  select id, standing, guessing_enabled, retention_days, created_at from users;
insert into memberships (account_id, user_id, role, wants_list_mails, wants_balance_mails, wants_plan_mails, created_at)
  select id, id, 'owner', wants_list_mails, wants_balance_mails, wants_plan_mails, created_at from users;

-- An account is gone when its row is.
create trigger note_deletions after delete on accounts referencing old table as gone
  for each statement execute function note_deleted_users();
drop trigger note_deletions on users;
create or replace function note_deletions() returns trigger language plpgsql as $$
begin
  -- Rows that go with their account need no note of their own.
  insert into deletions_to_log (kind, owner_id, id)
    select tg_argv[0], gone.owner_id, gone.id from gone where exists (select from accounts where accounts.id = gone.owner_id);
  return null;
end $$;
create or replace function activity_account_is_deleted(owner uuid) returns boolean language sql stable as $$
  select exists (select from activity_chains where owner_id = owner and erased_at is not null)
    and not exists (select from accounts where id = owner)
$$;
create or replace function guard_activity_chain() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and (pg_trigger_depth() > 1 or (old.erased_at is null and new.erased_at is not null
      and (new.owner_id, new.last_number, new.last_hash) = (old.owner_id, old.last_number, old.last_hash)
      and not exists (select from accounts where id = old.owner_id))) then
    return new;
  end if;
  raise exception 'The activity log only grows.';
end $$;
