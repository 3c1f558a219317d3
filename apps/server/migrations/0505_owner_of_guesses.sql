-- A busy table: see 0501.
alter table guesses
  drop constraint guesses_owner_id_fkey,
  add constraint guesses_owner_id_fkey foreign key (owner_id) references accounts (id) on delete cascade not valid;
alter table guess_lists
  drop constraint guess_lists_owner_id_fkey,
  add constraint guess_lists_owner_id_fkey foreign key (owner_id) references accounts (id) on delete cascade not valid;
alter table guess_uploads
  drop constraint guess_uploads_owner_id_fkey,
  add constraint guess_uploads_owner_id_fkey foreign key (owner_id) references accounts (id) on delete cascade not valid;
