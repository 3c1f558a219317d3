-- By how inexact they are, so that a report looks at those of its own minutes only, not at all inexact ones of its day.
drop index outcomes_inexact;
create index outcomes_inexact on outcomes (owner_id, address_key, slack_seconds, happened_at) where slack_seconds > 0;
