-- The mail domain of a claim, as a keyed hash: people who own a domain can make up any number of mailboxes there, so only a few a day
-- get free credits by themselves. Of `withheld` ones an operator decides; `domain_proved` also lifts the limit of the domain.
alter table free_credit_claims
  add column domain_hash text,
  add column state text not null default 'granted' check (state in ('granted', 'withheld', 'reviewed', 'domain_proved'));
create index free_credit_claims_by_domain on free_credit_claims (domain_hash, claimed_at) where domain_hash is not null;

-- Why an account got no free credits at its sign-up; null for one that has them or never asked.
alter table subscriptions
  add column free_credits_withheld text check (free_credits_withheld in ('disposable_domain', 'domain_limit', 'mailbox_taken'));
create index subscriptions_withheld on subscriptions (anchored_at) where free_credits_withheld is not null;
