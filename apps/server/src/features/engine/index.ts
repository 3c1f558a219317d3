import './engine.tables.ts';

export {
  type Bill,
  type BillLine,
  findAccountBills,
  findBills,
  findProviderBills,
  saveBills,
  sweepBills,
} from './bills/bills.store.ts';
export { expectQuestions } from './bills/expected-bill.ts';
export { withBill } from './bills/with-bill.ts';
export { sweepBindings } from './egress/bindings.store.ts';
export { routeByEgress } from './egress/route-by-egress.ts';
export type { StoredDetail } from './engine.tables.ts';
export {
  type Availability,
  createAvailability,
  hasRealDomain,
  isPortClosed,
} from './health/availability.ts';
export { createFindingWatch, type FindingWatch } from './health/finding-watch.ts';
export { guardVerifier } from './health/guard-verifier.ts';
export { askForCheck, findAllHealth } from './health/health.store.ts';
export { showHealth, startHealthChecks } from './health/health-checks.ts';
export { createPortGate } from './health/port-gate.ts';
export { isTestDomain } from './health/test-domain.ts';
export {
  causeOf,
  deferralCountOf,
  hasPatience,
  laterJobs,
  type WaitCause,
  waitOf,
  waitsOf,
} from './patience.ts';
export { sweepPermits } from './permits/permits.store.ts';
export { openSharedPermits } from './permits/shared-permits.ts';
export { notChecked, reasonAnswer, suppressed } from './reason-words.ts';
export { screenSample } from './screen-sample.ts';
export { createSharedFacts, sweepFacts } from './shared-facts.ts';
export { changePlan, type EgressPlan, findPlans } from './shares/plans.store.ts';
export { createSharedShares } from './shares/shared-shares.ts';
export { findStandings, sweepShares } from './shares/shares.store.ts';
export {
  detailFlagsAnswer,
  evidenceAnswer,
  flagBits,
  flagsAnswer,
  hasFlag,
  isCharged,
  type StoredFinding,
  storedFindingOf,
} from './stored-finding.ts';
export { traceChecks } from './trace-checks.ts';
export { otherProviders, type Weather, weatherOf, weatherPlace } from './weather/weather-of.ts';
export {
  createSharedWishes,
  findAskedCounts,
  findStops,
  liftStop,
  sweepWishes,
} from './wishes/shared-wishes.ts';
