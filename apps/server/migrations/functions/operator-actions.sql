-- Everything that operators do is one hash chain that only grows.

-- The text that an action's hash covers. Actions without the name of an actor have none in it: they are older than the column.
create or replace function operator_action_text(action operator_actions) returns text language sql immutable as $$
  select (jsonb_build_array(action.number, (extract(epoch from action.recorded_at) * 1000)::bigint, action.actor_id,
    action.kind, action.customer_id, action.about, action.reason)
    || case when action.actor_name is null then '[]' else jsonb_build_array(action.actor_name) end)::text
$$;

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

create or replace trigger append_operator_action before insert on operator_actions
  for each row execute function append_operator_action();

create or replace function refuse_operator_action_change() returns trigger language plpgsql as $$
begin
  raise exception 'The log of operators only grows.';
end $$;

create or replace trigger refuse_change before update or delete on operator_actions
  for each row execute function refuse_operator_action_change();

create or replace trigger refuse_truncation before truncate on operator_actions execute function refuse_operator_action_change();

-- The chain moves on with its actions, which happens inside of their trigger.
create or replace function guard_operator_chain() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and pg_trigger_depth() > 1 then
    return new;
  end if;
  raise exception 'The log of operators only grows.';
end $$;

create or replace trigger guard_operator_chain before update or delete on operator_chain
  for each row execute function guard_operator_chain();

create or replace trigger refuse_truncation before truncate on operator_chain execute function refuse_operator_action_change();

-- A restore must not give back rights that operators took away, so these actions go to the log in the file store too.
create or replace function note_operator_action() returns trigger language plpgsql as $$
begin
  insert into deletions_to_log (kind, action) values ('operator_action', jsonb_build_object('kind', new.kind,
    'hash', encode(new.hash, 'hex'), 'recordedAt', to_char(new.recorded_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    'actorId', new.actor_id, 'customerId', new.customer_id, 'about', new.about, 'reason', new.reason));
  return null;
end $$;

create or replace trigger note_action after insert on operator_actions for each row
  when (new.kind in ('operator.removed', 'customer.standing', 'coupon.disabled')
    or new.kind = 'operator.role' and new.about = 'support')
  execute function note_operator_action();

-- The role ends with the account.
create or replace function record_deleted_operator() returns trigger language plpgsql as $$
begin
  if not exists (select from users where id = old.user_id) then
    insert into operator_actions (recorded_at, kind, customer_id, about, reason)
      values (now(), 'operator.removed', old.user_id, 'operator', 'The account was deleted.');
  end if;
  return null;
end $$;

create or replace trigger record_deleted_operator after delete on operators for each row execute function record_deleted_operator();
