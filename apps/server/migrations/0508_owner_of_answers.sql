-- A busy table: see 0501.
alter table idempotent_answers
  drop constraint idempotent_answers_owner_id_fkey,
  add constraint idempotent_answers_owner_id_fkey foreign key (owner_id) references accounts (id) on delete cascade not valid;
