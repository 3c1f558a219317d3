-- The number and hash of the newest action, so that it is noticed when the newest ones are missing.
create table operator_chain (
  is_only boolean primary key default true check (is_only),
  last_number bigint not null,
  last_hash bytea not null
);
lock table operator_actions in share row exclusive mode;
insert into operator_chain (last_number, last_hash)
  select count(*), coalesce((select hash from operator_actions order by number desc limit 1), '') from operator_actions;

-- Actions wait for each other at the row of the chain, so that it cannot fork. A lock on the table would be too late here: two
-- inserts that already have their own lock on it would wait for each other for ever.
create or replace function append_operator_action() returns trigger language plpgsql as $$
declare
  chain operator_chain;
begin
  select * into strict chain from operator_chain for update;
  new.number := chain.last_number + 1;
  new.hash := sha256(chain.last_hash || convert_to(operator_action_text(new), 'UTF8'));
  update operator_chain set last_number = new.number, last_hash = new.hash;
  return new;
end $$;

-- The chain moves on with its actions, which happens inside of their trigger.
create function guard_operator_chain() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and pg_trigger_depth() > 1 then
    return new;
  end if;
  raise exception 'The log of operators only grows.';
end $$;
create trigger guard_operator_chain before update or delete on operator_chain
  for each row execute function guard_operator_chain();
create trigger refuse_truncation before truncate on operator_chain execute function refuse_operator_action_change();
