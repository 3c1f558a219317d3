-- Rows belong to accounts. Checking all rows of a table takes long, so 0509 does it, and only these locks are waited for.
alter table api_keys
  drop constraint api_keys_owner_id_fkey,
  add constraint api_keys_owner_id_fkey foreign key (owner_id) references accounts (id) on delete cascade not valid;
alter table export_links
  drop constraint export_links_owner_id_fkey,
  add constraint export_links_owner_id_fkey foreign key (owner_id) references accounts (id) on delete cascade not valid;
alter table free_credit_claims
  drop constraint free_credit_claims_owner_id_fkey,
  add constraint free_credit_claims_owner_id_fkey foreign key (owner_id) references accounts (id) on delete set null not valid;
alter table mailbox_authorizations
  drop constraint mailbox_authorizations_owner_id_fkey,
  add constraint mailbox_authorizations_owner_id_fkey foreign key (owner_id) references accounts (id) on delete cascade not valid;
alter table mailbox_credentials
  drop constraint mailbox_credentials_owner_id_fkey,
  add constraint mailbox_credentials_owner_id_fkey foreign key (owner_id) references accounts (id) on delete cascade not valid;
alter table scoped_api_keys
  drop constraint scoped_api_keys_owner_id_fkey,
  add constraint scoped_api_keys_owner_id_fkey foreign key (owner_id) references accounts (id) on delete cascade not valid;
alter table subscriptions
  drop constraint subscriptions_owner_id_fkey,
  add constraint subscriptions_owner_id_fkey foreign key (owner_id) references accounts (id) on delete cascade not valid;
alter table support_cases
  drop constraint support_cases_owner_id_fkey,
  add constraint support_cases_owner_id_fkey foreign key (owner_id) references accounts (id) on delete cascade not valid;
alter table webhooks
  drop constraint webhooks_owner_id_fkey,
  add constraint webhooks_owner_id_fkey foreign key (owner_id) references accounts (id) on delete cascade not valid;
-- A score is one of an account; its id is still called that of a user.
alter table abuse_scores
  drop constraint abuse_scores_user_id_fkey,
  add constraint abuse_scores_user_id_fkey foreign key (user_id) references accounts (id) on delete cascade not valid;
