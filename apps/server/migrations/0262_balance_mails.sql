-- Whether the customer wants mails about a low balance and a stopped top-up.
alter table users add column wants_balance_mails boolean not null default true;

-- When the customer was last told of this threshold: a balance that goes up and down around it is told of now and then.
alter table balance_alerts add column told_at timestamptz;

-- Whether the customer was told that the automatic top-up has stopped. Stops from before this column are not told.
alter table automatic_top_ups add column is_stop_told boolean not null default true;
create index automatic_top_ups_to_tell on automatic_top_ups (owner_id) where not is_stop_told;
