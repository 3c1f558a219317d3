-- The tables so far become the partition of all other lists. No row moves.
alter table list_rows rename to list_rows_shared;
alter index list_rows_pkey rename to list_rows_shared_pkey;
create table list_rows (like list_rows_shared including indexes including storage) partition by range (list_id);
alter table list_rows attach partition list_rows_shared
  for values from (minvalue) to ('ffffffff-ffff-4000-8000-000000000000');
alter table list_rows_shared drop constraint list_rows_shared_ids;

alter table list_results rename to list_results_shared;
alter index list_results_pkey rename to list_results_shared_pkey;
create table list_results (like list_results_shared including indexes including storage) partition by range (list_id);
alter table list_results add constraint list_results_verdict_check
  check (verdict in ('VALID', 'INVALID', 'CATCH_ALL', 'UNKNOWN'));
alter table list_results attach partition list_results_shared
  for values from (minvalue) to ('ffffffff-ffff-4000-8000-000000000000');
alter table list_results_shared drop constraint list_results_shared_ids;

-- Processes of earlier versions delete rows by ctid, which in a partitioned table names a row in each partition.
create function refuse_deletion() returns trigger language plpgsql as $$
begin
  raise exception 'Rows of % are deleted by partition. This process is older than its database.', tg_table_name;
end $$;
create trigger refuse_deletion before delete on list_rows for each statement execute function refuse_deletion();
create trigger refuse_deletion before delete on list_results for each statement execute function refuse_deletion();
