import './engine.tables.ts';

export type { StoredDetail } from './engine.tables.ts';
export { type Finding, findingOf, isCharged } from './finding.ts';
export { deferralCountOf, hasPatience, laterJobs } from './patience.ts';
export { sweepPermits } from './permits/permits.store.ts';
export { openSharedPermits } from './permits/shared-permits.ts';
export { reasonAnswer } from './reason-words.ts';
export { createSharedFacts, sweepHostUses } from './shared-facts.ts';
