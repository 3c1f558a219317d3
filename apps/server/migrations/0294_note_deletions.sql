create trigger note_deletions after delete on guess_lists referencing old table as gone
  for each statement execute function note_deletions('people_list');
create trigger note_deletions after delete on api_keys referencing old table as gone
  for each statement execute function note_deletions('api_key');
create trigger note_deletions after delete on scoped_api_keys referencing old table as gone
  for each statement execute function note_deletions('scoped_api_key');
create trigger note_replaced_key after update of key_hash on scoped_api_keys for each row
  when (new.key_hash <> old.key_hash) execute function note_replaced_key();
create trigger note_deletions after delete on export_links referencing old table as gone
  for each statement execute function note_deletions('export_link');
create trigger note_deletions after delete on webhooks referencing old table as gone
  for each statement execute function note_deletions('webhook');
create trigger note_deletions after delete on mailbox_credentials referencing old table as gone
  for each statement execute function note_deletions('mailbox');
