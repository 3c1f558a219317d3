-- Support turned two-step verification off: the customer must hear of it by mail, in case it was not them who asked.
create or replace trigger note_activity_news after insert on activity_entries
  for each row when (new.contents ->> 'kind' in (
    'session.started', 'password.changed', 'password.reset', 'two_step.removed', 'api_key.created', 'api_key.rolled',
    'webhook.created', 'webhook.changed', 'plan.changed', 'plan.payment_failed'
  ))
  execute function note_activity_news();
