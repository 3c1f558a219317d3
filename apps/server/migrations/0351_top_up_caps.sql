-- When an automatic top-up was first not bought because the monthly cap is used up. Saved settings clear it.
alter table automatic_top_ups
  add column cap_reached_at timestamptz,
  add column is_cap_told boolean not null default true;
create index automatic_top_ups_caps_to_tell on automatic_top_ups (owner_id) where not is_cap_told;

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
