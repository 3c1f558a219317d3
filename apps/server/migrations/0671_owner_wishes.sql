-- What owners of domains want of us: the record below `_assay` as it was last found, and replies that asked us to stop.
create table owner_wishes (
  domain text primary key collate "C",
  -- Questions a day; 0 for none; null without a record.
  per_day bigint,
  stop_until timestamptz,
  stop_host text,
  -- The reply, without the mailbox that it was about.
  stop_words text,
  changed_at timestamptz not null default now()
);

-- Questions to domains whose owner allows some a day, by day of UTC: of all accounts, through all egress addresses.
create table owner_questions (
  domain text not null collate "C",
  day date not null,
  asked bigint not null,
  -- What the latest worker got of them, which is the answer to it.
  taken bigint not null,
  primary key (domain, day)
);
