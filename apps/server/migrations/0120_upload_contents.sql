-- SHA-256 of the file, as hex: an Idempotency-Key stands for the contents of a call. Null for uploads from before.
alter table uploads add column content_hash text;
