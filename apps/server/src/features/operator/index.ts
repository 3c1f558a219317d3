import './operator.tables.ts';

export { findSuspects } from './abuse.store.ts';
export { type ActorAndReason, findBrokenAction } from './actions.ts';
export {
  couponState,
  createCouponByOperator,
  disableCouponByOperator,
  recordBulkCoupons,
} from './coupons.ts';
export { findWithheldCredits } from './customers.store.ts';
export { grantByOperator, setFlagByOperator, takeGrantBackByOperator } from './customers.ts';
export { listDeadLetters, settleDeadLetter } from './jobs.ts';
export { closeIncident, findIncidents, noteIncident, openIncident } from './operation/incidents.ts';
export { showOperation } from './operation/operation-metrics.ts';
export { registerStatusRoute } from './operation/status.ts';
export { operatorHandlers } from './operator.jobs.ts';
export { registerOperatorRoutes } from './operator.routes.ts';
export { findOperatorRole, findOperators } from './operators.store.ts';
export { addOperator, removeOperator } from './operators.ts';
export { liftOwnerStop, stopForOwner } from './owner-stops.ts';
export { controlList, findStuckLists } from './running-lists.ts';
export { removeSecondFactors } from './second-factors.ts';
export { setStanding } from './standing.ts';
export { deleteStrayByOperator } from './stray-customers.ts';

export { releaseByOperator } from './withheld-credits.ts';
