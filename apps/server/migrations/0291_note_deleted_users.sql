-- Busy tables have a file each, so that the migration waits for one lock at a time.
create trigger note_deletions after delete on users referencing old table as gone
  for each statement execute function note_deleted_users();
