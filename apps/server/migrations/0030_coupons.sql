-- Codes that give credits. A code is kept trimmed and in capitals, which is how it is looked up.
create table coupons (
  code text primary key check (code = upper(btrim(code)) and length(code) between 5 and 64),
  credits bigint not null check (credits > 0),
  -- How many customers may redeem it; null for any number.
  redemptions_max integer check (redemptions_max > 0),
  redemption_count integer not null default 0,
  expires_at timestamptz,
  disabled_at timestamptz,
  created_at timestamptz not null,
  constraint coupons_are_redeemed_within_their_number
    check (redemption_count >= 0 and (redemptions_max is null or redemption_count <= redemptions_max))
);

-- Who redeemed what. Like the ledger it outlives the account, so that the books can be audited.
create table coupon_redemptions (
  owner_id uuid not null references wallets (owner_id),
  code text not null references coupons (code),
  credits bigint not null check (credits > 0),
  redeemed_at timestamptz not null,
  primary key (owner_id, code)
);
create index coupon_redemptions_by_code on coupon_redemptions (code);
