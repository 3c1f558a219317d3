-- In the order in which workers lock them.
lock table webhooks, webhook_deliveries in access exclusive mode;
alter table webhook_deliveries
  drop constraint webhook_deliveries_owner_id_fkey,
  drop constraint webhook_deliveries_pkey;
alter table webhooks drop constraint webhooks_pkey, add primary key (owner_id, id);
-- Numbers are per webhook.
alter table webhook_deliveries
  alter column webhook_id set not null,
  add primary key (owner_id, webhook_id, number),
  add foreign key (owner_id, webhook_id) references webhooks (owner_id, id) on delete cascade;
drop index webhook_deliveries_waiting;
create index webhook_deliveries_waiting on webhook_deliveries (owner_id, webhook_id, number) where status = 'PENDING';
