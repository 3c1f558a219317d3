import type { ParsedAddress } from '../address/parse-address.ts';
import type { MailRoute } from '../dns/mail-route.ts';
import type { EvidenceStage } from '../evidence.ts';
import type { CatchAllFact } from '../fact-store.ts';
import type { Reason } from '../judgement/reasons.ts';
import type { Question } from '../smtp/session.ts';

/** Who wants the answer, and how long it may take. */
export interface Client {
  /** Nobody wants the answers any more. */
  isCancelled: boolean;
  /** How long an address that the host puts off may be asked again. */
  readonly patienceMs: number;
  /** Whether to wait for hosts that put us off, or to hand the address back with a time to try again. */
  readonly deferrals: 'wait' | 'return';
  /** Whether anyone will read the evidence; without it a large list is a little faster. */
  readonly wantsEvidence: boolean;
  /** Goes before others at its host: one person waits for it. */
  readonly isUrgent: boolean;
  onVerdict(job: Job, reason: Reason, evidence: EvidenceStage[]): void;
  onTryAgain(job: Job, reason: Reason, afterMs: number, evidence: EvidenceStage[]): void;
  /** The job waits for a time to come, or no longer does. */
  onParked(change: 1 | -1): void;
}

/** One address on its way to a verdict, or the impossible address that proves a domain catch-all. */
export class Job implements Question {
  /** As the caller wrote it; empty for a proof. */
  readonly email: string;
  readonly mailbox: string;
  readonly needsUtf8: boolean;
  readonly client: Client;
  readonly domain: MailDomain;
  /** What the caller gave, to hand back with the outcome. */
  readonly item: unknown;
  readonly isProof: boolean;
  /** Which of the domain's hosts is being asked. */
  hostRank = 0;
  /** Conversations at this host that ended without an answer. */
  lostCount = 0;
  deferralCount = 0;
  /** When patience ends; it begins with the first deferral. */
  giveUpAt = 0;
  /** What went wrong at the hosts tried before. */
  failures: { reason: Reason; stage: EvidenceStage }[] | undefined;
  /** The yes that waits for the proof about its domain. */
  acceptance: EvidenceStage[] | undefined;

  // Of an address only what is still needed is kept: there are many of these at a time.
  constructor(
    address: Pick<ParsedAddress, 'email' | 'mailbox' | 'needsUtf8'>,
    client: Client,
    domain: MailDomain,
    item: unknown,
    isProof: boolean,
  ) {
    this.email = address.email;
    this.mailbox = address.mailbox;
    this.needsUtf8 = address.needsUtf8;
    this.client = client;
    this.domain = domain;
    this.item = item;
    this.isProof = isProof;
  }

  get local(): string {
    return this.mailbox.slice(0, this.mailbox.lastIndexOf('@'));
  }
}

/** Where jobs stand in line: the pool of a mail host. */
export interface JobPlace {
  readonly name: string;
  add(job: Job): void;
}

/** Everything known about one domain while its addresses are being asked about. */
export class MailDomain {
  readonly name: string;
  isDisposable = false;
  isFreeProvider = false;
  /** The domain that was probably meant, when this one looks like a slip. */
  suggestion: string | undefined;
  route: MailRoute | undefined;
  dnsStage: EvidenceStage = { stage: 'dns' };
  /** Jobs that wait for the route, while it is being looked up. */
  waitingForRoute: Job[] | undefined;
  /** By rank of the host: its pool once its addresses are known, or the jobs that wait for them. */
  readonly pools: (JobPlace | Job[] | undefined)[] = [];

  catchAll: CatchAllFact | undefined;
  proofStage: EvidenceStage | undefined;
  /** Accepted addresses that wait for the proof. */
  waitingForProof: Job[] = [];
  /** The address that nobody has, once one was needed. */
  proofMailbox: string | undefined;
  isProofUnderWay = false;
  /** After a proof without an answer, not before this. */
  nextProofAt = 0;
  proofDeferralCount = 0;

  constructor(name: string) {
    this.name = name;
  }
}
