-- A further scope of API keys: asking what a bounce means.
alter table scoped_api_keys drop constraint scoped_api_keys_scopes_check;
alter table scoped_api_keys add constraint scoped_api_keys_scopes_check
  check (scopes <@ array['verify', 'read_results', 'manage_lists', 'guess', 'explain_bounces']);
