-- Mailboxes that receive bounces, which we read by IMAP without changing them.
create table outcome_mailboxes (
  owner_id uuid not null references accounts (id) on delete cascade,
  id uuid not null,
  host text not null,
  user_name text not null,
  -- Encrypted for the row. The columns of a replaced password are those of other secrets, so that one command renews all; they stay empty.
  sealed_secret text not null,
  sealed_previous_secret text,
  previous_secret_until timestamptz,
  folder text not null,
  -- How far it was read: numbers of mails are of this validity only.
  uid_validity bigint,
  last_uid bigint not null default 0,
  read_mails bigint not null default 0,
  found_outcomes bigint not null default 0,
  trouble text,
  -- In a row.
  failures integer not null default 0,
  last_read_at timestamptz,
  due_at timestamptz not null,
  created_at timestamptz not null,
  primary key (owner_id, id)
);
create index outcome_mailboxes_due on outcome_mailboxes (due_at);
create trigger note_deletions after delete on outcome_mailboxes referencing old table as gone
  for each statement execute function note_deletions('outcome_mailbox');
