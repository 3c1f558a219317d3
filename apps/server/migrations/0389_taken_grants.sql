-- Grants of operators that were taken back claim credits on hold as disputes and refunds do, so they are recorded beside them, with the
-- key of the grant as their id and the number of its entry as their invoice.
alter table payment_disputes drop constraint payment_disputes_kind_check;
alter table payment_disputes add constraint payment_disputes_kind_check check (kind in ('dispute', 'refund', 'grant'));
