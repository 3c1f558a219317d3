import { operatorRoutes } from '@assay/contract/operator';
import type { FastifyInstance } from 'fastify';
import type { Person } from '../../platform/auth/index.ts';
import { AppError } from '../../platform/errors/index.ts';
import { registerRoute } from '../../platform/http/index.ts';
import type { WalletParts } from '../billing/index.ts';
import { findUser } from '../users/index.ts';
import { findSuspects } from './abuse.store.ts';
import { type ActorAndReason, findActions, type OperatorParts } from './actions.ts';
import { listCallRequests } from './call-requests.ts';
import { createCouponByOperator, disableCouponByOperator, listCoupons } from './coupons.ts';
import { findWithheldCredits } from './customers.store.ts';
import {
  describeCustomer,
  findActivityOf,
  findDeliveriesOf,
  findListsOf,
  findPaymentsOf,
  findTransactionsOf,
  findWebhooksOf,
  grantByOperator,
  setFlagByOperator,
  takeGrantBackByOperator,
} from './customers.ts';
import { listDeadLetters, listFailingJobs, retryJobByOperator, settleDeadLetter } from './jobs.ts';
import { closeIncident, findIncidents, noteIncident, openIncident } from './operation/incidents.ts';
import { describeOperation, type OverviewParts } from './operation/overview.ts';
import { describeWeather } from './operation/weather.ts';
import { findQuestions, findQuestionsOf } from './questions.ts';
import { controlList, findRunningLists } from './running-lists.ts';
import { listErrors, search } from './search.ts';
import { removeSecondFactors, type SecondFactorParts } from './second-factors.ts';
import { type OperatorQueueParts, setStanding } from './standing.ts';
import { releaseByOperator } from './withheld-credits.ts';

export function registerOperatorRoutes(
  app: FastifyInstance,
  parts: OperatorQueueParts & OverviewParts & SecondFactorParts & WalletParts,
): void {
  const { db } = parts;
  registerRoute(app, operatorRoutes.getOperator, async ({ caller: { userId, operatorRole } }) => {
    const user = await findUser(db, userId);
    // The account was deleted between authentication and this query.
    if (!user || !operatorRole) throw new AppError('route_not_found', { userId });
    const { id, first_name, last_name, email_address } = user;
    return { id, role: operatorRole, first_name, last_name, email_address };
  });
  registerRoute(app, operatorRoutes.getOverview, () => describeOperation(parts));
  registerRoute(app, operatorRoutes.search, ({ query: { text = '' } }) => search(db, text));
  registerRoute(app, operatorRoutes.listErrors, async ({ query: { source, before } }) => ({
    results: await listErrors(db, { source }, before),
  }));
  registerRoute(app, operatorRoutes.getWeather, ({ query }) => describeWeather(parts, query));
  registerRoute(app, operatorRoutes.getQuestions, ({ query }) => findQuestions(parts, query));
  registerRoute(app, operatorRoutes.listActions, ({ query }) => findActions(db, query));
  registerRoute(app, operatorRoutes.listCallRequests, async () => ({ results: await listCallRequests(db) }));
  registerCustomerRoutes(app, parts);
  registerCouponRoutes(app, parts);
  registerListRoutes(app, parts);
  registerJobRoutes(app, parts);
  registerIncidentRoutes(app, parts);
}

const actedBy = ({ userId }: Person, { reason }: { readonly reason: string }): ActorAndReason => ({
  actorId: userId,
  reason,
});

function registerCustomerRoutes(
  app: FastifyInstance,
  parts: OperatorQueueParts & SecondFactorParts & WalletParts,
): void {
  const { db } = parts;
  registerRoute(app, operatorRoutes.getCustomer, ({ params }) => describeCustomer(parts, params.customer_id));
  registerRoute(app, operatorRoutes.listCustomerLists, ({ params, query }) =>
    findListsOf(parts, params.customer_id, query),
  );
  registerRoute(app, operatorRoutes.listCustomerTransactions, ({ params, query }) =>
    findTransactionsOf(parts, params.customer_id, query),
  );
  registerRoute(app, operatorRoutes.listCustomerDeliveries, ({ params, query }) =>
    findDeliveriesOf(parts, params.customer_id, query),
  );
  registerRoute(app, operatorRoutes.listCustomerPayments, ({ params, query }) =>
    findPaymentsOf(parts, params.customer_id, query),
  );
  registerRoute(app, operatorRoutes.listCustomerActivity, ({ params, query }) =>
    findActivityOf(parts, params.customer_id, query),
  );
  registerRoute(app, operatorRoutes.listCustomerQuestions, async ({ params, query }) => ({
    results: await findQuestionsOf(parts, params.customer_id, query),
  }));
  registerRoute(app, operatorRoutes.listCustomerWebhooks, ({ params }) =>
    findWebhooksOf(parts, params.customer_id),
  );
  registerRoute(app, operatorRoutes.grantCredits, ({ caller, params, body }) =>
    grantByOperator(parts, actedBy(caller, body), {
      customerId: params.customer_id,
      credits: body.credits,
      key: body.key,
    }),
  );
  registerRoute(app, operatorRoutes.takeGrantBack, ({ caller, params, body }) =>
    takeGrantBackByOperator(parts, actedBy(caller, body), {
      customerId: params.customer_id,
      entryNumber: params.number,
    }),
  );
  registerRoute(app, operatorRoutes.listWithheldCredits, async () => ({
    results: await findWithheldCredits(db),
  }));
  registerRoute(app, operatorRoutes.releaseCredits, ({ caller, params, body }) =>
    releaseByOperator(parts, actedBy(caller, body), {
      customerId: params.customer_id,
      provesDomain: body.proves_domain,
    }),
  );
  registerRoute(app, operatorRoutes.setFlag, async ({ caller, params, body }) => {
    const { flag, is_on: isOn } = body;
    await setFlagByOperator(parts, actedBy(caller, body), { customerId: params.customer_id, flag, isOn });
    return null;
  });
  registerRoute(app, operatorRoutes.removeSecondFactors, async ({ caller, params, body }) => {
    await removeSecondFactors(parts, actedBy(caller, body), params.customer_id);
    return null;
  });
  registerRoute(app, operatorRoutes.setStanding, async ({ caller, params, body }) => {
    const { standing } = body;
    await setStanding(parts, actedBy(caller, body), { customerId: params.customer_id, standing });
    return { standing };
  });
  registerRoute(app, operatorRoutes.listSuspects, async () => ({ results: await findSuspects(db) }));
}

function registerCouponRoutes(app: FastifyInstance, parts: OperatorQueueParts): void {
  registerRoute(app, operatorRoutes.listCoupons, ({ query }) => listCoupons(parts, query));
  registerRoute(app, operatorRoutes.createCoupon, async ({ caller, body }) => ({
    code: await createCouponByOperator(parts, actedBy(caller, body), {
      code: body.code,
      credits: body.credits,
      redemptionsMax: body.redemptions_max,
      expiresAt: body.expiration_date === null ? null : new Date(body.expiration_date),
    }),
  }));
  registerRoute(app, operatorRoutes.disableCoupon, async ({ caller, params, body }) => {
    await disableCouponByOperator(parts, actedBy(caller, body), params.code);
    return null;
  });
}

function registerListRoutes(app: FastifyInstance, parts: OperatorQueueParts): void {
  registerRoute(app, operatorRoutes.listRunningLists, ({ query: { only_stuck = false, after } }) =>
    findRunningLists(parts, { onlyStuck: only_stuck, after }),
  );
  for (const [route, action] of [
    [operatorRoutes.restartList, 'restart'],
    [operatorRoutes.pauseList, 'pause'],
    [operatorRoutes.resumeList, 'resume'],
    [operatorRoutes.finishList, 'finish'],
  ] as const) {
    registerRoute(app, route, async ({ caller, params, body }) => {
      const list = { ownerId: body.owner_id, listId: params.list_id, kind: body.kind };
      await controlList(parts, actedBy(caller, body), list, action);
      return null;
    });
  }
}

function registerJobRoutes(app: FastifyInstance, parts: OperatorQueueParts): void {
  const { db } = parts;
  registerRoute(app, operatorRoutes.listFailingJobs, async () => ({ results: await listFailingJobs(db) }));
  registerRoute(app, operatorRoutes.retryJobNow, async ({ caller, params, body }) => {
    await retryJobByOperator(parts, actedBy(caller, body), params.job_id);
    return null;
  });
  registerRoute(app, operatorRoutes.listDeadLetters, async () => ({ results: await listDeadLetters(db) }));
  for (const [route, action] of [
    [operatorRoutes.retryDeadLetter, 'retry'],
    [operatorRoutes.discardDeadLetter, 'discard'],
  ] as const) {
    registerRoute(app, route, async ({ caller, params, body }) => {
      await settleDeadLetter(parts, actedBy(caller, body), params.job_id, action);
      return null;
    });
  }
}

function registerIncidentRoutes(app: FastifyInstance, parts: OperatorParts): void {
  const { db, clock } = parts;
  registerRoute(app, operatorRoutes.listIncidents, async () => ({
    results: await findIncidents(db, clock.now()),
  }));
  registerRoute(app, operatorRoutes.openIncident, ({ caller, body: { words, ...opened } }) =>
    openIncident(parts, actedBy(caller, { reason: words }), opened),
  );
  registerRoute(app, operatorRoutes.noteIncident, ({ caller, params, body }) =>
    noteIncident(parts, actedBy(caller, { reason: body.words }), params.incident_id),
  );
  registerRoute(app, operatorRoutes.closeIncident, ({ caller, params, body }) =>
    closeIncident(parts, actedBy(caller, { reason: body.words }), params.incident_id),
  );
}
