-- A customer may have several webhooks, each with its own events, order and job. Three migrations, so that locks are short.
alter table webhooks
  -- Null for all events, also of types that come later.
  add column event_types text[] check (cardinality(event_types) > 0),
  -- When the receiver last took an event or a test.
  add column last_delivered_at timestamptz;
alter table webhook_deliveries add column webhook_id uuid;

-- Existing webhooks keep exactly the events that they get.
update webhooks set
  event_types = array['email_validation.completed', 'list.completed', 'list.failed', 'balance.low'],
  last_delivered_at = (
    select max(last_attempt_at) from webhook_deliveries
    where webhook_deliveries.owner_id = webhooks.owner_id and status = 'DELIVERED');

-- Processes of the release before know one webhook per customer and write no webhook_id.
create function fill_webhook_id() returns trigger language plpgsql as $$
begin
  new.webhook_id := (select id from webhooks where owner_id = new.owner_id order by created_at, id limit 1);
  return new;
end $$;
create trigger fill_webhook_id before insert on webhook_deliveries for each row
  when (new.webhook_id is null) execute function fill_webhook_id();

alter table scoped_api_keys
  drop constraint scoped_api_keys_scopes_check,
  add constraint scoped_api_keys_scopes_check
    check (scopes <@ array['verify', 'read_results', 'manage_lists', 'guess', 'explain_bounces', 'manage_webhooks']),
  -- Webhooks get live events, so a test key must not direct them.
  add constraint scoped_api_keys_live_webhooks check (mode = 'live' or not 'manage_webhooks' = any (scopes));
