-- Reads all further keys under its lock: a customer has at most a hundred.
alter table scoped_api_keys
  drop constraint scoped_api_keys_scopes_check,
  add constraint scoped_api_keys_scopes_check
    check (scopes <@ array['verify', 'read_results', 'manage_lists', 'guess', 'explain_bounces', 'manage_webhooks']),
  -- Webhooks get live events, so a test key must not direct them.
  add constraint scoped_api_keys_live_webhooks check (mode = 'live' or not 'manage_webhooks' = any (scopes));
