-- When a link to an export was last followed, to the minute.
alter table export_links add column last_used_at timestamptz;
