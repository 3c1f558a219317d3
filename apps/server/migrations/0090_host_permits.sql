-- Connections to mail hosts, counted for all workers behind one egress address together: see
-- docs/decisions/verifier-shared-permits.md. All unlogged: after a crash of the database, whoever still has connections
-- tells of them again.

-- Who opens connections: one row per engine, told anew every second for as long as it has connections or waits for some.
create unlogged table permit_holders (
  id uuid primary key,
  -- The part of the egress address's connections that this holder draws from, with others.
  share text not null collate "C",
  -- The number of its latest exchange: one that was overtaken on the way must change nothing.
  exchange integer not null,
  seen_at timestamptz not null,
  -- When it was last heard again after a silence in which the others had to think it gone.
  returned_at timestamptz
);
create index permit_holders_by_share on permit_holders (share);

-- A connection that its holder has, or waits for.
create unlogged table host_permits (
  holder_id uuid not null references permit_holders (id) on delete cascade,
  -- The holder's own number for it.
  number integer not null,
  share text not null collate "C",
  host text not null collate "C",
  provider text not null collate "C",
  is_granted boolean not null,
  -- Who asked first.
  turn bigint generated always as identity,
  primary key (holder_id, number)
);
create index host_permits_by_share on host_permits (share, is_granted);

-- Hosts that asked one of an egress address's holders to be left alone for a while.
create unlogged table host_rests (
  egress text not null collate "C",
  host text not null collate "C",
  until timestamptz not null,
  told_by uuid not null,
  primary key (egress, host)
);
create index host_rests_by_end on host_rests (until);

-- What each holder of a share has and waits for at each host, with what is granted there to all of them.
create function count_host_permits(p_share text)
returns table (
  holder_id uuid, host text, provider text, held bigint, waiting bigint,
  at_host bigint, at_provider bigint, in_all bigint
) language sql stable as $$
  select *,
    sum(held) over (partition by host)::bigint,
    sum(held) over (partition by provider)::bigint,
    sum(held) over ()::bigint
  from (
    select holder_id, host, provider,
      count(*) filter (where is_granted) as held,
      count(*) filter (where not is_granted) as waiting
    from host_permits where share = p_share
    group by holder_id, host, provider
  ) as counted
$$;

-- Gives what there is room for to whoever waits in a share, and wakes the holders other than the one that calls. Nobody
-- gets a second connection to a host before everybody who waits there has a first; among equals, who asked first.
create function grant_host_permits(p_holder uuid, p_egress text, p_share text, p_limits integer[], p_moment timestamptz)
returns void language plpgsql as $$
declare
  other uuid;
begin
  for other in
    -- Most of those who wait do so for a place that is full; they are told apart before anything is put in order.
    with open as materialized (
      select * from count_host_permits(p_share)
      where waiting > 0 and at_host < p_limits[1] and at_provider < p_limits[2] and in_all < p_limits[3]
    ), waiting as (
      select permit.holder_id, permit.number, permit.host, permit.provider, permit.turn, at_host, at_provider, in_all,
        held + row_number() over (partition by permit.holder_id, permit.host order by permit.turn) as nth
      from open
      join host_permits as permit using (holder_id, host, provider)
      where not permit.is_granted and not exists (
        select from host_rests as rest
        where rest.egress = p_egress and rest.host = permit.host
          and rest.until > p_moment and rest.told_by <> permit.holder_id)
    ), by_host as (
      select *, at_host + row_number() over (partition by host order by nth, turn) as place from waiting
    ), by_provider as (
      select holder_id, number, nth, turn, in_all,
        at_provider + row_number() over (partition by provider order by nth, turn) as place
      from by_host where place <= p_limits[1]
    ), by_turn as (
      select holder_id, number, in_all + row_number() over (order by nth, turn) as place
      from by_provider where place <= p_limits[2]
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

-- The hosts at which a holder's connections keep others from a first one of theirs, since a limit is reached.
create function wanted_hosts(p_holder uuid, p_share text, p_limits integer[])
returns text[] language plpgsql stable as $$
begin
  return (
    with counted as materialized (
      select * from count_host_permits(p_share)
    ), kept_out as (
      select distinct host, provider,
        at_host >= p_limits[1] as is_host_full,
        at_provider >= p_limits[2] as is_provider_full,
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

-- One step of a holder's conversation with the others: it tells which connections it has and which it waits for, and hears
-- what it got. Whatever it no longer names is free. Telling the same again changes nothing.
create function exchange_host_permits(
  p_holder uuid,
  p_egress text,
  p_share text,
  -- For a host, for a provider, in all.
  p_limits integer[],
  p_exchange integer,
  -- Whether the holder has told before what it still has or waits for.
  p_was_here boolean,
  p_held integer[],
  p_waiting integer[],
  -- What is told for the first time, or again: [{number, host, provider, is_held}].
  p_asked jsonb,
  -- Hosts that asked to be left alone: [{host, for_ms}].
  p_rests jsonb,
  -- Whether everything that it names is written down; otherwise it was lost, and has to be told again.
  out is_known boolean,
  out granted integer[],
  -- [{number, rest_ms}]: waited for in vain, since somebody else was asked to leave the host alone.
  out resting jsonb,
  out wanted text[]
) language plpgsql as $$
declare
  -- Five beats: one that is late on a busy machine is still there.
  silence constant interval := '5 seconds';
  -- Long enough for every holder to be heard once.
  grace constant interval := '2 seconds';
  moment timestamptz;
  waiting integer[];
  other uuid;
begin
  -- What follows reads what others wrote before they let go of this lock.
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
    insert into host_permits (holder_id, number, share, host, provider, is_granted)
    select p_holder, asked.number, p_share, asked.host, asked.provider, asked.is_held
    from jsonb_to_recordset(p_asked) as asked (number integer, host text, provider text, is_held boolean)
    on conflict do nothing;
  end if;
  is_known := not exists (
    select from unnest(p_held || p_waiting) as named (number)
    where not exists (
      select from host_permits as permit where permit.holder_id = p_holder and permit.number = named.number));
  if p_rests <> '[]' then
    -- Sorted, so that holders of two shares never wait for each other in a circle.
    insert into host_rests as known (egress, host, until, told_by)
    select p_egress, rest.host, moment + rest.for_ms * interval '1 millisecond', p_holder
    from jsonb_to_recordset(p_rests) as rest (host text, for_ms double precision)
    order by rest.host
    on conflict (egress, host) do update set until = excluded.until, told_by = excluded.told_by
      where known.until < excluded.until;
  end if;

  -- After a silence of the database's own nobody can tell who is gone: everybody is heard before anything is given away.
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
  join host_rests as rest on rest.egress = p_egress and rest.host = permit.host
  where permit.holder_id = p_holder and permit.number = any (waiting)
    and rest.until > moment and rest.told_by <> p_holder;
  -- Those who have what this one was not given hear of it, once.
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
