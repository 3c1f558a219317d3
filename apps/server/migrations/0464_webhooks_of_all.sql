-- Reads all deliveries once, while others read and write them. The column then becomes not null without another look.
alter table webhook_deliveries validate constraint webhook_deliveries_webhook_id;
