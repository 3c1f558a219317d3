-- Whether the payment of an automatic top-up has an invoice. Purchases of earlier versions keep their receipts.
alter table top_up_orders add column invoice_state text not null default 'none'
  check (invoice_state in ('none', 'wanted', 'written'));
create index top_up_orders_to_invoice on top_up_orders (opened_at) where invoice_state = 'wanted';
