-- A busy table: see 0501.
alter table uploads
  drop constraint uploads_owner_id_fkey,
  add constraint uploads_owner_id_fkey foreign key (owner_id) references accounts (id) on delete cascade not valid;
alter table upload_reservations
  drop constraint upload_reservations_owner_id_fkey,
  add constraint upload_reservations_owner_id_fkey foreign key (owner_id) references accounts (id) on delete cascade not valid;
