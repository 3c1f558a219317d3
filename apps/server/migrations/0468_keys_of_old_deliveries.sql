-- Reads all deliveries once, while others read and write them.
alter table webhook_deliveries validate constraint webhook_deliveries_owner_id_webhook_id_fkey;
