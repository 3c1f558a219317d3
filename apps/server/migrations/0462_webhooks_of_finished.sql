-- Locks only finished deliveries, which no worker changes. Whatever deletes them meanwhile waits until the end.
update webhook_deliveries set webhook_id = webhooks.id from webhooks
where webhooks.owner_id = webhook_deliveries.owner_id and webhook_deliveries.webhook_id is null
  and webhook_deliveries.status <> 'PENDING';
