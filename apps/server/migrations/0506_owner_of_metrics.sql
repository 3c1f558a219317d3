-- A busy table: see 0501.
alter table validation_metrics
  drop constraint validation_metrics_owner_id_fkey,
  add constraint validation_metrics_owner_id_fkey foreign key (owner_id) references accounts (id) on delete cascade not valid;
