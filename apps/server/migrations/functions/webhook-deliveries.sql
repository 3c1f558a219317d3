-- Processes of the release before know one webhook per customer and write no webhook_id. What they finish from now on gets it too, so
-- that the next files fill each row once.
create or replace function fill_webhook_id() returns trigger language plpgsql as $$
begin
  new.webhook_id := (select id from webhooks where owner_id = new.owner_id order by created_at, id limit 1);
  return new;
end $$;

create or replace trigger fill_webhook_id before insert or update on webhook_deliveries for each row
  when (new.webhook_id is null) execute function fill_webhook_id();
