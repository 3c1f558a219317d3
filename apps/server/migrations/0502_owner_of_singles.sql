-- A busy table: see 0501.
alter table single_validations
  drop constraint single_validations_owner_id_fkey,
  add constraint single_validations_owner_id_fkey foreign key (owner_id) references accounts (id) on delete cascade not valid;
