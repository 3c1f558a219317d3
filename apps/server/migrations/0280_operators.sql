-- Who may use the operator console. Bound to the account, never to an address, which may get another owner.
create table operators (
  user_id uuid primary key references users (id) on delete cascade,
  added_at timestamptz not null
);

-- What an account may do: see the contract's STANDINGS.
alter table users
  add column standing text not null default 'open' check (standing in ('open', 'throttled', 'held', 'suspended')),
  -- Since when the lists of a held or suspended account are paused. Lists that were paused at this very moment go on when the
  -- account is open again; those that the customer paused do not.
  add column standing_since timestamptz;
create index users_restricted on users (standing_since) where standing <> 'open';

-- Everything that operators did, as one hash chain. No foreign keys: it outlives the accounts, of which it keeps ids only.
create table operator_actions (
  number bigint primary key,
  recorded_at timestamptz(3) not null,
  -- Null for the command line of the server.
  actor_id uuid,
  kind text not null,
  customer_id uuid,
  about text not null,
  reason text not null,
  -- sha256(hash of the action before, operator_action_text)
  hash bytea not null
);
create index operator_actions_of_customer on operator_actions (customer_id, number) where customer_id is not null;

create function operator_action_text(action operator_actions) returns text language sql immutable as $$
  select jsonb_build_array(action.number, (extract(epoch from action.recorded_at) * 1000)::bigint, action.actor_id,
    action.kind, action.customer_id, action.about, action.reason)::text
$$;

-- The lock makes actions wait for each other, so that the chain cannot fork. Readers do not wait.
create function append_operator_action() returns trigger language plpgsql as $$
declare
  last operator_actions;
begin
  lock table operator_actions in share row exclusive mode;
  select * into last from operator_actions order by number desc limit 1;
  new.number := coalesce(last.number, 0) + 1;
  new.hash := sha256(coalesce(last.hash, '') || convert_to(operator_action_text(new), 'UTF8'));
  return new;
end $$;
create trigger append_operator_action before insert on operator_actions
  for each row execute function append_operator_action();

create function refuse_operator_action_change() returns trigger language plpgsql as $$
begin
  raise exception 'The log of operators only grows.';
end $$;
create trigger refuse_change before update or delete on operator_actions
  for each row execute function refuse_operator_action_change();
create trigger refuse_truncation before truncate on operator_actions execute function refuse_operator_action_change();
