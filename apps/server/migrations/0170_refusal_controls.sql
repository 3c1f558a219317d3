-- How a domain answered for its postmaster, so that all workers together ask once a day. The words hold no address.
create table domain_controls (
  domain text primary key,
  asked_at timestamptz not null,
  -- Null when the postmaster was accepted.
  refused_words text
);

-- When a mail host last accepted some mailbox; never which one.
create table host_acceptances (
  host text primary key,
  accepted_at timestamptz not null
);
