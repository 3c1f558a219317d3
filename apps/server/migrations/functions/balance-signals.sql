-- Workers look at a balance when it changes, instead of at their next minute. The database does it, so that every way to change a balance
-- counts, and a change that crosses no threshold costs two look-ups and no statement of ours.

-- Asks the workers to run a job (platform/queue/requested-job.ts). Repeated in one transaction, it is one job.
create or replace function request_job(job_name text, owner_id uuid) returns void language sql as $$
  select pg_notify('assay_jobs', json_build_object(
    'name', job_name,
    'id', md5(job_name || owner_id || pg_current_xact_id())::uuid,
    'data', json_build_object('ownerId', owner_id)
  )::text);
$$;

create or replace function signal_crossed_balance() returns trigger language plpgsql as $$
declare
  available_before bigint := old.balance - old.held;
  available bigint := new.balance - new.held;
begin
  if exists (
    select from balance_alerts
    where owner_id = new.owner_id and (available_before < threshold) <> (available < threshold)
  ) then
    perform request_job('notices.watch-balance', new.owner_id);
  end if;
  if exists (
    select from automatic_top_ups
    where owner_id = new.owner_id and is_on and available_before >= below and available < below
  ) then
    perform request_job('billing.top-up-balance', new.owner_id);
  end if;
  return null;
end;
$$;

create or replace trigger wallets_signal_crossed_balance after update of balance, held on wallets
  for each row when (old.balance - old.held <> new.balance - new.held)
  execute function signal_crossed_balance();

create or replace function signal_changed_top_up() returns trigger language plpgsql as $$
begin
  if new.is_on and exists (
    select from wallets where owner_id = new.owner_id and balance - held < new.below
  ) then
    perform request_job('billing.top-up-balance', new.owner_id);
  end if;
  if not new.is_stop_told or not new.is_cap_told then
    perform request_job('notices.watch-balance', new.owner_id);
  end if;
  return null;
end;
$$;

create or replace trigger automatic_top_ups_signal after insert or update on automatic_top_ups
  for each row execute function signal_changed_top_up();
