-- PostgreSQL chose how to look for alike outcomes by its statistics of the table. Those of a new installation, or of a table that was
-- small when they were made, let it read all outcomes of an account for each report. These indexes are of one expression, which no other
-- index has, so that they are the only way.
create index outcomes_alike on outcomes (uuid_hash_extended(owner_id, address_key), happened_at);
create index outcomes_alike_inexact on outcomes (uuid_hash_extended(owner_id, address_key # slack_seconds), happened_at)
  where slack_seconds > 0;
create index outcomes_alike_events on outcomes (uuid_hash_extended(owner_id, event_key)) where event_key is not null;
drop index outcomes_of_address;
drop index outcomes_inexact;
drop index outcomes_of_event;
