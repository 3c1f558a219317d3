-- The jobs that tend to mailboxes find them by id alone, whoever owns them.
create index mailbox_credentials_id on mailbox_credentials (id);
