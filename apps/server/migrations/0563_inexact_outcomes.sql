-- Those that any report of the same hours may repeat, apart from the many that only one of the same second repeats.
create index outcomes_inexact on outcomes (owner_id, address_key, happened_at) where slack_seconds > 0;
