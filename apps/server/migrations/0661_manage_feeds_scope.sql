-- A further scope of API keys: managing feeds. Feeds bring live events, so a test key must not direct them.
alter table scoped_api_keys
  drop constraint scoped_api_keys_scopes_check,
  add constraint scoped_api_keys_scopes_check check (scopes <@ array['verify', 'read_results', 'manage_lists', 'guess',
    'explain_bounces', 'manage_webhooks', 'report_outcomes', 'suppressions', 'manage_feeds']),
  add constraint scoped_api_keys_live_feeds check (mode = 'live' or not 'manage_feeds' = any (scopes));
