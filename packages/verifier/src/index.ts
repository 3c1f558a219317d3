export {
  type AddressFlags,
  isDisposableDomain,
  isFreeProviderDomain,
  listedFlagsOf,
  noFlags,
} from './address/address-flags.ts';
export { listsGeneratedOn } from './address/domain-lists.ts';
export { type ParsedAddress, parseAddress, type RefusedAddress } from './address/parse-address.ts';
export { registrableDomainOf } from './address/registrable-domain.ts';
export { type Basis, basisBy } from './basis.ts';
export { type Clock, systemClock } from './clock.ts';
export type { KnownWish, OwnerStop, WishStore } from './conduct/owner-doors.ts';
export type { ShareLedger } from './conduct/provider-gate.ts';
export { type ProviderBill, QuestionBill } from './conduct/question-bill.ts';
export {
  describeShares,
  exchangeShares,
  newShareState,
  type ShareGrant,
  type ShareLimit,
  type ShareReport,
  type ShareState,
} from './conduct/share-window.ts';
export { checkEgress, type EgressReport } from './egress/check-egress.ts';
export { type EgressCheckOptions, type EgressFinding, egressChecks } from './egress/egress-finding.ts';
export {
  type EvidenceStage,
  egressAwayNote,
  noConnectionNote,
  onOneLine,
  ownLimitNote,
  resolverAwayNote,
} from './evidence.ts';
export {
  type CatchAllFact,
  type ControlFact,
  createMemoryFactStore,
  type FactStore,
  type HostUse,
  hostUsesMax,
} from './fact-store.ts';
export type { Finding, TryAgain, Verdict } from './finding.ts';
export { judgeAgain, type PastFinding, type Rejudgement } from './judge-again.ts';
export { classifyReply, parseWrittenReply, type ReplyClass } from './judgement/classify-reply.ts';
export { type Reason, type Result, reasons, resultOf, results } from './judgement/reasons.ts';
export { createDialGuard } from './net/dial-guard.ts';
export type { Item, Items } from './scheduling/checks/run.ts';
export {
  createMemoryPermits,
  type HostPermit,
  type HostPermits,
  type HostRest,
  type MailPlace,
  type PermitLimits,
  type PermitRequest,
} from './scheduling/hosts/host-permits.ts';
export { type ProviderPlan, providerNamed, publishedBrands } from './scheduling/hosts/providers.ts';
export { createScreener, type ScreenedProvider, type Screener, type Screening } from './screen.ts';
export type { Egress } from './smtp/egress.ts';
export {
  createVerifier,
  defaultLimits,
  defaultTimeouts,
  type Findings,
  type Verifier,
  type VerifierLimits,
  type VerifierOptions,
  type VerifierTimeouts,
  type VerifyAllOptions,
  type VerifyOptions,
} from './verifier.ts';
