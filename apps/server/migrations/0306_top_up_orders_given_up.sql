-- Whether the automatic top-up has stopped because of this order. The customer is told once, however long its payment stays open.
alter table top_up_orders add column is_given_up boolean not null default false;
