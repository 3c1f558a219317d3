create trigger note_deletions after update of status on validation_lists for each row
  when (new.status = 'DELETED' and old.status not in ('DRAFT', 'DELETED')) execute function note_deleted_list('list');
