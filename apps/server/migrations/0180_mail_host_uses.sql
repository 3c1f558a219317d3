-- Domains seen at mail hosts that disposable domains use, to recognise new disposable domains by their hosts. `host` is a
-- name or an IP address; a host has at most 100 rows.
create table mail_host_uses (
  host text not null collate "C",
  domain text not null collate "C",
  -- Whether the lists named the domain as disposable when it was last seen.
  is_listed boolean not null,
  seen_at timestamptz not null,
  primary key (host, domain)
);
create index mail_host_uses_seen_at on mail_host_uses (seen_at);
