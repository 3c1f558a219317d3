-- Lists of a hundred thousand rows or more get a partition of their own in list_rows and list_results, so that deleting one
-- drops a table. Their ids begin with ffffffff-ffff-4, which no other list has. This and the next two files turn the tables
-- into partitions while lists run: none of them holds a lock for long.
alter table list_rows add constraint list_rows_shared_ids
  check (list_id < 'ffffffff-ffff-4000-8000-000000000000') not valid;
alter table list_results add constraint list_results_shared_ids
  check (list_id < 'ffffffff-ffff-4000-8000-000000000000') not valid;
