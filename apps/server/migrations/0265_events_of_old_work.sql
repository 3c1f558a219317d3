-- When the single or list that an event tells of was created: retention deletes the event with it, however late the event came and
-- however often it was sent again. Null for other events and for those of earlier versions, whose own age counts.
alter table webhook_deliveries add column work_created_at timestamptz;
