-- Who ran a command, as the operating system names them. The text of actions without it stays the same, and so does their hash.
alter table operator_actions add column actor_name text;
create or replace function operator_action_text(action operator_actions) returns text language sql immutable as $$
  select (jsonb_build_array(action.number, (extract(epoch from action.recorded_at) * 1000)::bigint, action.actor_id,
    action.kind, action.customer_id, action.about, action.reason)
    || case when action.actor_name is null then '[]' else jsonb_build_array(action.actor_name) end)::text
$$;

-- The role ends with the account.
create function record_deleted_operator() returns trigger language plpgsql as $$
begin
  if not exists (select from users where id = old.user_id) then
    insert into operator_actions (recorded_at, kind, customer_id, about, reason)
      values (now(), 'operator.removed', old.user_id, 'operator', 'The account was deleted.');
  end if;
  return null;
end $$;
create trigger record_deleted_operator after delete on operators for each row execute function record_deleted_operator();
