-- Which egress address asks the hosts of a domain. A domain keeps its egress for a day, because hosts remember the addresses
-- that they deferred or refused.
create table egress_bindings (
  -- Workers with the same list of egresses, by ASSAY_EGRESS. Others have other egresses to bind the domain to.
  workers text not null collate "C",
  domain text not null collate "C",
  egress text not null collate "C",
  bound_until timestamptz not null,
  primary key (workers, domain)
);
create index egress_bindings_bound_until on egress_bindings (bound_until);
