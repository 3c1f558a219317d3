-- Engines share connections to mail hosts: see docs/decisions/verifier-shared-permits.md.

-- The connections that each holder of a share has and wants at each host, with the totals of all holders.
create or replace function count_host_permits(p_share text)
returns table (
  holder_id uuid, host text, provider text, held bigint, waiting bigint,
  at_host bigint, at_provider bigint, in_all bigint, provider_limit integer
) language sql stable as $$
  select holder_id, host, provider, held, waiting,
    sum(held) over (partition by host)::bigint,
    sum(held) over (partition by provider)::bigint,
    sum(held) over ()::bigint,
    min(own_limit) over (partition by provider)
  from (
    select holder_id, host, provider,
      count(*) filter (where is_granted) as held,
      count(*) filter (where not is_granted) as waiting,
      min(provider_limit) as own_limit
    from host_permits where share = p_share
    group by holder_id, host, provider
  ) as counted
$$;

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

-- The hosts at which a holder's connections keep others from a first one, because a limit is reached.
create or replace function wanted_hosts(p_holder uuid, p_share text, p_limits integer[])
returns text[] language plpgsql stable as $$
begin
  return (
    with counted as materialized (
      select * from count_host_permits(p_share)
    ), kept_out as (
      select distinct host, provider,
        at_host >= p_limits[1] as is_host_full,
        at_provider >= least(p_limits[2], provider_limit) as is_provider_full,
        in_all >= p_limits[3] as is_all_full
      from counted where waiting > 0 and held = 0 and holder_id <> p_holder
    )
    select coalesce(array_agg(distinct mine.host), '{}')
    from counted as mine
    where mine.holder_id = p_holder and mine.held > 0 and exists (
      select from kept_out
      where case
        when is_host_full then kept_out.host = mine.host
        when is_provider_full then kept_out.provider = mine.provider
        else is_all_full
      end)
  );
end $$;

-- A holder sends the connections that it has and wants, and receives those that it got. A connection that it no longer
-- names is free. Sending the same again changes nothing.
create or replace function exchange_host_permits(
  p_holder uuid,
  p_egress text,
  p_share text,
  -- Per host, per provider, in total.
  p_limits integer[],
  p_exchange integer,
  -- Whether the holder sent some of this before.
  p_was_here boolean,
  p_held integer[],
  p_waiting integer[],
  -- Sent for the first time, or again: [{number, host, provider, provider_limit, customer, is_held}].
  p_asked jsonb,
  -- Hosts, or providers, that asked to be left alone: [{host, for_ms}].
  p_rests jsonb,
  -- Whether the database knows everything that the holder names; otherwise the holder must send it again.
  out is_known boolean,
  out granted integer[],
  -- [{number, rest_ms}]: refused, because the host asked another holder to leave it alone.
  out resting jsonb,
  out wanted text[]
) language plpgsql as $$
declare
  -- Five beats, so that a late holder on a busy machine keeps its connections.
  silence constant interval := '5 seconds';
  -- Long enough for every holder to report once.
  grace constant interval := '2 seconds';
  moment timestamptz;
  waiting integer[];
  other uuid;
begin
  -- The statements below see what others wrote under this lock.
  perform pg_advisory_xact_lock(722120, hashtext(p_share));
  moment := clock_timestamp();
  granted := '{}';
  resting := '[]';
  wanted := '{}';

  is_known := true;
  insert into permit_holders as known (id, share, exchange, seen_at, returned_at)
  values (p_holder, p_share, p_exchange, moment, case when p_was_here then moment end)
  on conflict (id) do update
    set exchange = excluded.exchange,
        seen_at = moment,
        returned_at = case
          when p_was_here and known.seen_at < moment - silence then moment else known.returned_at end
    where known.exchange < excluded.exchange;
  if not found then
    return;
  end if;

  delete from host_permits as permit
  where permit.holder_id = p_holder and not exists (
    select from unnest(p_held || p_waiting) as kept (number) where kept.number = permit.number);
  if p_asked <> '[]' then
    insert into host_permits (holder_id, number, share, host, provider, provider_limit, customer, is_granted)
    select p_holder, asked.number, p_share, asked.host, asked.provider, asked.provider_limit,
      coalesce(asked.customer, ''), asked.is_held
    from jsonb_to_recordset(p_asked) as asked (
      number integer, host text, provider text, provider_limit integer, customer text, is_held boolean)
    on conflict do nothing;
  end if;
  is_known := not exists (
    select from unnest(p_held || p_waiting) as named (number)
    where not exists (
      select from host_permits as permit where permit.holder_id = p_holder and permit.number = named.number));
  if p_rests <> '[]' then
    -- Sorted, so that holders of two shares cannot deadlock.
    insert into host_rests as known (egress, host, until, told_by)
    select p_egress, rest.host, moment + rest.for_ms * interval '1 millisecond', p_holder
    from jsonb_to_recordset(p_rests) as rest (host text, for_ms double precision)
    order by rest.host
    on conflict (egress, host) do update set until = excluded.until, told_by = excluded.told_by
      where known.until < excluded.until;
  end if;

  -- After an outage of the database all holders report before anything is granted.
  if not exists (select from permit_holders where share = p_share and returned_at > moment - grace) then
    delete from permit_holders where share = p_share and seen_at < moment - silence;
    if exists (select from host_permits where share = p_share and not is_granted) then
      perform grant_host_permits(p_holder, p_egress, p_share, p_limits, moment);
      if cardinality(p_held) > 0 then
        wanted := wanted_hosts(p_holder, p_share, p_limits);
      end if;
    end if;
  end if;
  if cardinality(p_waiting) = 0 then
    return;
  end if;

  select array_agg(permit.number) filter (where permit.is_granted),
    array_agg(permit.number) filter (where not permit.is_granted)
  into granted, waiting
  from host_permits as permit
  where permit.holder_id = p_holder and permit.number = any (p_waiting);
  granted := coalesce(granted, '{}');
  if waiting is null then
    return;
  end if;

  select coalesce(jsonb_agg(jsonb_build_object(
    'number', permit.number,
    'rest_ms', ceil(extract(epoch from rest.until - moment) * 1000))), '[]') into resting
  from host_permits as permit
  cross join lateral (
    select max(until) as until from host_rests
    where egress = p_egress and host in (permit.host, permit.provider) and told_by <> p_holder
  ) as rest
  where permit.holder_id = p_holder and permit.number = any (waiting) and rest.until > moment;
  -- Notifies, once, the holders that have what this one did not get.
  if exists (
    select from jsonb_to_recordset(p_asked) as asked (number integer, host text)
    where asked.number = any (waiting) and not exists (
      select from host_permits as had
      where had.holder_id = p_holder and had.host = asked.host and had.is_granted)
  ) then
    for other in
      select distinct holder_id from host_permits
      where share = p_share and is_granted and holder_id <> p_holder
    loop
      perform pg_notify('assay_permits', other::text);
    end loop;
  end if;
end $$;

-- The customer with the most connections of a share, if all are taken, this holder has one of them, and a customer without any waits for
-- nothing else. Called after exchange_host_permits, in the same statement and under its lock.
create or replace function crowding_customer(p_holder uuid, p_egress text, p_share text, p_limits integer[])
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
