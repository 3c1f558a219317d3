-- Processes of earlier versions delete rows by ctid, which in a partitioned table names a row in each partition.
create or replace function refuse_deletion() returns trigger language plpgsql as $$
begin
  raise exception 'Rows of % are deleted by partition. This process is older than its database.', tg_table_name;
end $$;

create or replace trigger refuse_deletion before delete on list_rows for each statement execute function refuse_deletion();

create or replace trigger refuse_deletion before delete on list_results for each statement execute function refuse_deletion();
