-- A busy table: see 0501.
alter table validation_lists
  drop constraint validation_lists_owner_id_fkey,
  add constraint validation_lists_owner_id_fkey foreign key (owner_id) references accounts (id) on delete cascade not valid;
