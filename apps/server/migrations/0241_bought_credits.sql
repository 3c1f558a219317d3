-- How many credits of a balance can be bought ones at most. Credits have no order of spending, so this is the most that
-- any order leaves: a purchase adds to it, a refund takes from it, and it is never above the balance.
create function next_bought(bought bigint, category text, amount bigint, balance_after bigint) returns bigint
  language sql immutable parallel safe
  return least(
    greatest(bought + case when category in ('PURCHASE', 'PACK', 'REFUND') then amount else 0 end, 0),
    balance_after
  );
-- The same for a whole history, in the order of its entries: the audit compares with it.
create aggregate bought_after(category text, amount bigint, balance_after bigint) (
  sfunc = next_bought, stype = bigint, initcond = '0'
);

alter table wallets add column bought bigint not null default 0 check (bought >= 0);

-- In the database, so that also processes of an earlier version keep it right while they are replaced.
create function count_bought_credits() returns trigger language plpgsql as $$
begin
  update wallets set bought = next_bought(bought, new.category, new.amount, new.balance_after)
    where owner_id = new.owner_id
      and bought <> next_bought(bought, new.category, new.amount, new.balance_after);
  return null;
end;
$$;
create trigger ledger_entries_count_bought_credits after insert on ledger_entries
  for each row execute function count_bought_credits();

update wallets set bought = histories.bought
  from (
    select distinct on (owner_id) owner_id,
      bought_after(category, amount, balance_after) over (partition by owner_id order by entry_number) as bought
    from ledger_entries
    order by owner_id, entry_number desc
  ) as histories
  where histories.owner_id = wallets.owner_id and histories.bought <> 0;
