-- How often things happened, for the operator console: per minute for two days, per hour for eight days.
create table operation_counts (
  name text not null collate "C",
  -- The beginning of the minute or hour.
  bucket timestamptz not null,
  -- What is counted: a verdict, a provider, a call, a queue.
  part text not null collate "C",
  -- The verdict of a provider's checks; else empty.
  detail text not null default '' collate "C",
  count bigint not null,
  primary key (name, bucket, part, detail)
);
create index operation_counts_by_age on operation_counts (bucket);
