-- The further API key whose work an entry settled: the history groups single checks by day and key. Null for other work,
-- and for entries from before this column.
alter table ledger_entries add column api_key_id uuid;
