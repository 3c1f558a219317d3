create trigger note_deletions after delete on single_validations referencing old table as gone
  for each statement execute function note_deletions('single');
