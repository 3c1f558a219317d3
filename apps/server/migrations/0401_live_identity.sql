-- The identity provider as a process of its own says that it runs, too.
alter table live_processes drop constraint live_processes_kind_check,
  add constraint live_processes_kind_check check (kind in ('api', 'worker', 'identity'));
