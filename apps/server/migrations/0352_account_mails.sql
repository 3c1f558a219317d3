-- Whether the customer wants mails about plan and payments.
alter table users add column wants_plan_mails boolean not null default true;

-- Entries of the activity log that are worth a mail, until a worker has taken them. Whatever records such an entry, in
-- whichever process, is told of.
create table activity_news (
  owner_id uuid not null,
  number bigint not null,
  recorded_at timestamptz not null,
  primary key (owner_id, number)
);

create function note_activity_news() returns trigger language plpgsql as $$
begin
  insert into activity_news (owner_id, number, recorded_at) values (new.owner_id, new.number, new.recorded_at);
  perform request_job('notices.watch-activity', new.owner_id);
  return null;
end;
$$;
create trigger note_activity_news after insert on activity_entries
  for each row when (new.contents ->> 'kind' in (
    'session.started', 'password.changed', 'password.reset', 'api_key.created', 'api_key.rolled',
    'webhook.created', 'webhook.changed', 'plan.changed', 'plan.payment_failed'
  ))
  execute function note_activity_news();
