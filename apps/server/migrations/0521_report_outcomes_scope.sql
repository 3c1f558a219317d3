-- A further scope of API keys: reporting what happened to mail. A test key must not change what stands beside live results.
alter table scoped_api_keys
  drop constraint scoped_api_keys_scopes_check,
  add constraint scoped_api_keys_scopes_check check (scopes <@ array['verify', 'read_results', 'manage_lists', 'guess',
    'explain_bounces', 'manage_webhooks', 'report_outcomes']),
  add constraint scoped_api_keys_live_outcomes check (mode = 'live' or not 'report_outcomes' = any (scopes));
