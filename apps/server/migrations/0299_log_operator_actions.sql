-- Operators also take rights away. A restore must not give them back, so these actions go to the log in the file store too.
alter table deletions_to_log
  alter column owner_id drop not null,
  alter column id drop not null,
  add column action jsonb,
  add check (action is not null or (owner_id is not null and id is not null));

create function note_operator_action() returns trigger language plpgsql as $$
begin
  insert into deletions_to_log (kind, action) values ('operator_action', jsonb_build_object('kind', new.kind,
    'hash', encode(new.hash, 'hex'), 'recordedAt', to_char(new.recorded_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    'actorId', new.actor_id, 'customerId', new.customer_id, 'about', new.about, 'reason', new.reason));
  return null;
end $$;
create trigger note_action after insert on operator_actions for each row
  when (new.kind in ('operator.removed', 'customer.standing', 'coupon.disabled')) execute function note_operator_action();
