-- Reads all rows once, while others read and write them. Attaching the tables then has nothing to check.
alter table list_rows validate constraint list_rows_shared_ids;
alter table list_results validate constraint list_results_shared_ids;
