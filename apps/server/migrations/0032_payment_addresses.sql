-- When the customer's address changed, until the payment provider has heard of it: receipts go there.
alter table subscriptions add column address_changed_at timestamptz;
create index subscriptions_with_new_address on subscriptions (address_changed_at) where address_changed_at is not null;
