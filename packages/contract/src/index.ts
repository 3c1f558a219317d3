export * from './activity.ts';
export * from './app-config.ts';
export * from './billing.ts';
export {
  type ExportFormat,
  exportFormatSchema,
  formulasSchema,
  LIST_WAITS_MAX,
  type ListsQuery,
  type ListWait,
  type RunState,
} from './bulk.ts';
export { CONTROL_ACTIONS, type ControlAction, type ControlRoutes } from './control-routes.ts';
export * from './errors.ts';
export * from './guessing.ts';
export * from './input/company-domain.ts';
export * from './input/linkedin-profile.ts';
export * from './input/list-name.ts';
export * from './input/name-words.ts';
export * from './input/person-name.ts';
export * from './input/split-name.ts';
export * from './input/tax-numbers.ts';
export * from './input/text-list.ts';
export * from './key-calls.ts';
export * from './names/account-roles.ts';
export * from './names/activity-kinds.ts';
export * from './names/billing-limits.ts';
export * from './names/feed-senders.ts';
export * from './names/free-credits.ts';
export * from './names/invoice-details.ts';
export * from './names/key-scopes.ts';
export * from './names/mailbox-providers.ts';
export * from './names/outcome-mailbox-names.ts';
export * from './names/outcome-names.ts';
export { isPhoneMissing } from './names/phone-missing.ts';
export * from './names/plans.ts';
export * from './names/program-words.ts';
export * from './names/retention-days.ts';
export * from './names/scoped-key-limits.ts';
export * from './names/secret-prefixes.ts';
export * from './names/suppression-names.ts';
export * from './names/top-up-stops.ts';
export * from './names/verdict-names.ts';
export * from './names/verdict-reasons.ts';
export * from './names/webhook-events.ts';
export * from './paging.ts';
export * from './realtime.ts';
export * from './records.ts';
export * from './route.ts';
export * from './routes.ts';
export * from './scoped-keys.ts';
export * from './sending/bounces.ts';
export * from './sending/check-outcomes.ts';
export * from './sending/feeds.ts';
export * from './sending/outcome-mailboxes.ts';
export * from './sending/outcomes.ts';
export * from './sending/suppressions.ts';
export * from './status.ts';
export * from './support.ts';
export * from './users.ts';
export * from './validations/index.ts';
export * from './verdicts.ts';
export * from './warm-up.ts';
export * from './webhooks.ts';
