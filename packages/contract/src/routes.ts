import { activityRoutes } from './activity.ts';
import { billingRoutes } from './billing.ts';
import { guessingRoutes } from './guessing.ts';
import { recordsRoutes } from './records.ts';
import { bouncesRoutes } from './sending/bounces.ts';
import { feedsRoutes } from './sending/feeds.ts';
import { outcomeMailboxesRoutes } from './sending/outcome-mailboxes.ts';
import { outcomesRoutes } from './sending/outcomes.ts';
import { suppressionsRoutes } from './sending/suppressions.ts';
import { statusRoutes } from './status.ts';
import { supportRoutes } from './support.ts';
import { usersRoutes } from './users.ts';
import { validationsRoutes } from './validations/index.ts';
import { warmUpRoutes } from './warm-up.ts';
import { webhooksRoutes } from './webhooks.ts';

/** Every call of the API, by feature. */
export const routes = {
  activity: activityRoutes,
  billing: billingRoutes,
  bounces: bouncesRoutes,
  feeds: feedsRoutes,
  guessing: guessingRoutes,
  outcomeMailboxes: outcomeMailboxesRoutes,
  outcomes: outcomesRoutes,
  records: recordsRoutes,
  status: statusRoutes,
  support: supportRoutes,
  suppressions: suppressionsRoutes,
  users: usersRoutes,
  validations: validationsRoutes,
  warmUp: warmUpRoutes,
  webhooks: webhooksRoutes,
};
