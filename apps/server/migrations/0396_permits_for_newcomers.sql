-- A customer without a connection comes first, and gets one although all are taken: see docs/decisions/verifier-shared-permits.md.

-- Grants free connections to waiting requests of a share, and wakes the holders other than the caller. A customer without a connection in
-- the share comes first. An engine gets a second connection to a host only after every engine that waits there has a first; among equals,
-- the oldest request wins. A customer has at most three quarters of the connections that the other customers leave, so that a new one finds
-- room however long the hosts of others stay silent. Requests without a customer, of engines before customers had shares, have no such limit.
create or replace function grant_host_permits(
  p_holder uuid, p_egress text, p_share text, p_limits integer[], p_moment timestamptz)
returns void language plpgsql as $$
declare
  other uuid;
begin
  for other in
    -- Most requests wait for a place that is full; those are removed before sorting. `least` ignores null.
    with open as materialized (
      select * from count_host_permits(p_share)
      where waiting > 0 and at_host < p_limits[1] and in_all < p_limits[3]
        and at_provider < least(p_limits[2], provider_limit)
    ), waiting as (
      select permit.holder_id, permit.number, permit.host, permit.provider, permit.customer, permit.turn,
        at_host, at_provider, in_all, open.provider_limit,
        held + row_number() over (partition by permit.holder_id, permit.host order by permit.turn) as nth
      from open
      join host_permits as permit using (holder_id, host, provider)
      where not permit.is_granted and not exists (
        select from host_rests as rest
        where rest.egress = p_egress and rest.host in (permit.host, permit.provider)
          and rest.until > p_moment and rest.told_by <> permit.holder_id)
    ), held_by_customer as (
      select customer, count(*) as held from host_permits where share = p_share and is_granted group by customer
    ), by_customer as (
      select waiting.*, coalesce(held, 0) as held,
        coalesce(held, 0) + row_number() over (partition by customer order by nth, turn) as own_place
      from waiting left join held_by_customer using (customer)
    ), ranked as (
      select *, customer = '' or own_place > 1 as has_some
      from by_customer where customer = '' or own_place <= ceil(0.75 * (p_limits[3] - in_all + held))
    ), by_host as (
      select *, at_host + row_number() over (partition by host order by has_some, nth, turn) as place from ranked
    ), by_provider as (
      select holder_id, number, has_some, nth, turn, in_all, provider_limit,
        at_provider + row_number() over (partition by provider order by has_some, nth, turn) as place
      from by_host where place <= p_limits[1]
    ), by_turn as (
      select holder_id, number, in_all + row_number() over (order by has_some, nth, turn) as place
      from by_provider where place <= least(p_limits[2], provider_limit)
    ), granted as (
      update host_permits as permit set is_granted = true
      from by_turn
      where by_turn.place <= p_limits[3]
        and permit.holder_id = by_turn.holder_id and permit.number = by_turn.number
      returning permit.holder_id
    )
    select distinct holder_id from granted where holder_id <> p_holder
  loop
    perform pg_notify('assay_permits', other::text);
  end loop;
end $$;

-- The customer with the most connections of a share, if all are taken, this holder has one of them, and a customer without any waits for
-- nothing else. Called after exchange_host_permits, in the same statement and under its lock.
create function crowding_customer(p_holder uuid, p_egress text, p_share text, p_limits integer[])
returns text language plpgsql as $$
begin
  if (select count(*) from host_permits where share = p_share and is_granted) < p_limits[3] then
    return null;
  end if;
  return (
    with held as materialized (
      select customer, count(*) as held, bool_or(holder_id = p_holder) as is_ours
      from host_permits where share = p_share and is_granted and customer <> '' group by customer
    ), most as (
      select customer, held, is_ours from held order by held desc, customer limit 1
    )
    select customer from most
    where held > 1 and is_ours and exists (
      select from count_host_permits(p_share) as place
      join host_permits as permit using (holder_id, host, provider)
      where not permit.is_granted and permit.customer <> '' and permit.customer not in (select customer from held)
        and at_host < p_limits[1] and at_provider < least(p_limits[2], place.provider_limit)
        and not exists (
          select from host_rests as rest
          where rest.egress = p_egress and rest.host in (permit.host, permit.provider)
            and rest.until > clock_timestamp() and rest.told_by <> permit.holder_id))
  );
end $$;
