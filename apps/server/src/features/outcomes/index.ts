import './mailboxes/mailboxes.tables.ts';
import './outcomes.tables.ts';

export { createOutcomeCounter } from './count-reports.ts';
export { exportOutcomes } from './export-outcomes.ts';
export type { ImapOptions } from './mailboxes/imap-client.ts';
export { mailboxesHandlers } from './mailboxes/mailboxes.handlers.ts';
export { describeMailboxes } from './mailboxes/mailboxes.service.ts';
export { mailboxPasswords } from './mailboxes/mailboxes.store.ts';
export type { CheckFinder } from './match-outcomes.ts';
export type { FoundCheck } from './newest-before.ts';
export { deleteOldOutcomes } from './old-outcomes.store.ts';
export { outcomesBeside, outcomeText } from './outcome-words.ts';
export { outcomesHandlers } from './outcomes.handlers.ts';
export { registerOutcomesRoutes } from './outcomes.routes.ts';
export {
  findOutcomesOf,
  findOutcomesOfSingles,
  forgetChecks,
  hasOutcomes,
  hasReported,
  latestOutcomeText,
} from './outcomes-of-checks.store.ts';
export { recordOutcomes } from './record-outcomes.ts';
