-- A busy table: see 0501.
alter table api_key_usage
  drop constraint api_key_usage_owner_id_fkey,
  add constraint api_key_usage_owner_id_fkey foreign key (owner_id) references accounts (id) on delete cascade not valid;
