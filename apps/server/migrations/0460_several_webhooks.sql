-- A customer may have several webhooks, each with its own events, order and job. The files 0460 to 0468 bring that while workers
-- run: webhook_deliveries may be long, so what reads or writes all of it has a file of its own that leaves reading free.

-- Existing webhooks keep exactly the events that they get: the default fills them without writing a row.
alter table webhooks
  -- Null for all events, also of types that come later.
  add column event_types text[] check (cardinality(event_types) > 0)
    default array['email_validation.completed', 'list.completed', 'list.failed', 'balance.low'],
  -- When the receiver last took an event or a test, since this column exists.
  add column last_delivered_at timestamptz;
alter table webhooks alter column event_types drop default;

-- Processes of the release before know one webhook per customer and write no webhook_id. What they finish from now on gets it too, so
-- that the next files fill each row once.
create function fill_webhook_id() returns trigger language plpgsql as $$
begin
  new.webhook_id := (select id from webhooks where owner_id = new.owner_id order by created_at, id limit 1);
  return new;
end $$;
alter table webhook_deliveries add column webhook_id uuid;
create trigger fill_webhook_id before insert or update on webhook_deliveries for each row
  when (new.webhook_id is null) execute function fill_webhook_id();
alter table webhook_deliveries
  add constraint webhook_deliveries_webhook_id check (webhook_id is not null) not valid;
