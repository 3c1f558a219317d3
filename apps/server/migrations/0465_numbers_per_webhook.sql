-- The index of the coming primary key. Deliveries can be read but not written until it is built.
create unique index webhook_deliveries_by_number on webhook_deliveries (owner_id, webhook_id, number);
