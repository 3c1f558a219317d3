-- What a customer spent in the last days.
create index ledger_entries_by_time on ledger_entries (owner_id, created_at);
