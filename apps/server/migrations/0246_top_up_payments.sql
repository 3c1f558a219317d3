-- The payment of an order at the provider, known before it is charged. Null for orders whose payment was not opened yet, and
-- for those of earlier versions.
alter table top_up_orders add column payment_reference text;
