-- Deliveries can be read but not written while these are built, from one reading of the table each.
create index webhook_deliveries_waiting_per_webhook on webhook_deliveries (owner_id, webhook_id, number)
  where status = 'PENDING';
-- Tests and repeats that wait, of which a customer may have few.
create index webhook_deliveries_waiting_beside on webhook_deliveries (owner_id, created_at)
  where status = 'PENDING' and not is_in_order;
