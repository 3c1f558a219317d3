-- How often something was tried, for limits that all processes share: sign-in, coupons, keys.
-- What is counted (an address, an account) is only here as a keyed hash.
create table attempts (
  bucket text not null,
  key_hash text not null,
  tried integer not null check (tried > 0),
  window_ends_at timestamptz not null,
  primary key (bucket, key_hash)
);

create index attempts_by_end on attempts (window_ends_at);
