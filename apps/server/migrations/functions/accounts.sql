-- Older processes write columns of users that belong to the account, insert people without an account and delete people with everything
-- that is theirs. What they write is passed on, in both directions, until the columns are dropped.

create or replace function open_own_account() returns trigger language plpgsql as $$
begin
  insert into accounts (id, standing, guessing_enabled, retention_days, created_at)
    values (new.id, new.standing, new.guessing_enabled, new.retention_days, new.created_at)
    on conflict do nothing;
  insert into memberships (account_id, user_id, role, wants_list_mails, wants_balance_mails, wants_plan_mails, created_at)
    values (new.id, new.id, 'owner', new.wants_list_mails, new.wants_balance_mails, new.wants_plan_mails, new.created_at)
    on conflict do nothing;
  return null;
end $$;

create or replace trigger open_own_account after insert on users for each row execute function open_own_account();

create or replace function follow_user() returns trigger language plpgsql as $$
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

create or replace trigger follow_user
  after update of standing, guessing_enabled, retention_days, wants_list_mails, wants_balance_mails, wants_plan_mails on users
  for each row execute function follow_user();

create or replace function follow_account() returns trigger language plpgsql as $$
begin
  update users
    set standing = new.standing, guessing_enabled = new.guessing_enabled, retention_days = new.retention_days
    where id = new.id and (standing, guessing_enabled, retention_days)
      is distinct from (new.standing, new.guessing_enabled, new.retention_days);
  return null;
end $$;

create or replace trigger follow_account after update of standing, guessing_enabled, retention_days on accounts
  for each row execute function follow_account();

create or replace function follow_membership() returns trigger language plpgsql as $$
begin
  update users
    set wants_list_mails = new.wants_list_mails, wants_balance_mails = new.wants_balance_mails,
      wants_plan_mails = new.wants_plan_mails
    where id = new.user_id and id = new.account_id and (wants_list_mails, wants_balance_mails, wants_plan_mails)
      is distinct from (new.wants_list_mails, new.wants_balance_mails, new.wants_plan_mails);
  return null;
end $$;

create or replace trigger follow_membership after update of wants_list_mails, wants_balance_mails, wants_plan_mails on memberships
  for each row execute function follow_membership();

create or replace function close_own_account() returns trigger language plpgsql as $$
begin
  delete from accounts where id = old.id;
  return null;
end $$;

create or replace trigger close_own_account after delete on users for each row execute function close_own_account();
