export * from './account-roles.ts';
export * from './activity.ts';
export * from './activity-kinds.ts';
export * from './app-config.ts';
export * from './billing.ts';
export * from './billing-limits.ts';
export * from './bounces.ts';
export {
  type ExportFormat,
  exportFormatSchema,
  formulasSchema,
  LIST_WAITS_MAX,
  type ListsQuery,
  type ListWait,
  type RunState,
} from './bulk.ts';
export * from './check-outcomes.ts';
export * from './company-domain.ts';
export { CONTROL_ACTIONS, type ControlAction, type ControlRoutes } from './control-routes.ts';
export * from './errors.ts';
export * from './feed-senders.ts';
export * from './feeds.ts';
export * from './free-credits.ts';
export * from './guessing.ts';
export * from './invoice-details.ts';
export * from './key-calls.ts';
export * from './key-scopes.ts';
export * from './linkedin-profile.ts';
export * from './list-name.ts';
export * from './mailbox-providers.ts';
export * from './name-words.ts';
export * from './outcome-mailbox-names.ts';
export * from './outcome-mailboxes.ts';
export * from './outcome-names.ts';
export * from './outcomes.ts';
export * from './paging.ts';
export * from './person-name.ts';
export { isPhoneMissing } from './phone-missing.ts';
export * from './plans.ts';
export * from './program-words.ts';
export * from './realtime.ts';
export * from './records.ts';
export * from './retention-days.ts';
export * from './route.ts';
export * from './routes.ts';
export * from './scoped-key-limits.ts';
export * from './scoped-keys.ts';
export * from './secret-prefixes.ts';
export * from './split-name.ts';
export * from './status.ts';
export * from './support.ts';
export * from './suppression-names.ts';
export * from './suppressions.ts';
export * from './tax-numbers.ts';
export * from './text-list.ts';
export * from './top-up-stops.ts';
export * from './users.ts';
export * from './validations/index.ts';
export * from './verdict-names.ts';
export * from './verdict-reasons.ts';
export * from './verdicts.ts';
export * from './warm-up.ts';
export * from './webhook-events.ts';
export * from './webhooks.ts';
