-- Locks both tables against everything, in the order in which workers lock them, but reads no delivery: all of it is prepared. Only
-- webhooks, of which each customer has at most one so far, get their index here.
lock table webhooks, webhook_deliveries in access exclusive mode;
alter table webhook_deliveries
  drop constraint webhook_deliveries_owner_id_fkey,
  drop constraint webhook_deliveries_pkey;
alter table webhooks drop constraint webhooks_pkey, add primary key (owner_id, id);
-- Numbers are per webhook.
alter table webhook_deliveries alter column webhook_id set not null;
alter table webhook_deliveries
  drop constraint webhook_deliveries_webhook_id,
  add constraint webhook_deliveries_pkey primary key using index webhook_deliveries_by_number,
  add foreign key (owner_id, webhook_id) references webhooks (owner_id, id) on delete cascade not valid;
drop index webhook_deliveries_waiting;
