-- A customer's balance at the payment provider can pay a whole invoice, and then no money moves.
alter table purchases drop constraint purchases_paid_cents_check, add check (paid_cents >= 0);
