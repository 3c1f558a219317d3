-- Locks deliveries that still wait, and no table: their workers note the outcome of a try when this is done, and new events are written
-- meanwhile. Should it meet a worker in a deadlock, it is tried again.
update webhook_deliveries set webhook_id = webhooks.id from webhooks
where webhooks.owner_id = webhook_deliveries.owner_id and webhook_deliveries.webhook_id is null
  and webhook_deliveries.status = 'PENDING';
