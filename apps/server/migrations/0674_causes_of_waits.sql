-- Why rows wait: their mail host asked for it, or our own limit for its provider is spent, which `host` then names.
alter table list_waits add column cause text not null default 'mail_host' check (cause in ('mail_host', 'our_limits'));
