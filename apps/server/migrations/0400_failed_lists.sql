-- Lists that failed are mailed once, as lists that completed are.
create index validation_lists_failed on validation_lists (progress_told_at)
  where status = 'FAILED' and completion_noted_at is null;
