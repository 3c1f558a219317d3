import type { QuestionBill } from '../conduct/question-bill.ts';
import type { EvidenceStage } from '../evidence.ts';
import type { Reason } from '../judgement/reasons.ts';
import { type Client, Job, type JobSession, MailDomain } from '../scheduling/jobs/job.ts';

/** A client that remembers what it receives. */
export class RecordingClient implements Client {
  isCancelled = false;
  patienceMs = 60_000;
  deferrals: 'wait' | 'return' = 'wait';
  wantsEvidence = true;
  isUrgent = false;
  deferralCount = 0;
  customer = '';
  bill: QuestionBill | undefined;
  readonly findings: string[] = [];
  readonly evidence: EvidenceStage[][] = [];
  parked = 0;

  constructor(options: Partial<Omit<Client, `on${string}`>> = {}) {
    Object.assign(this, options);
  }

  onBadSyntax(_: unknown, { email, reason }: { email: string; reason: Reason }): void {
    this.findings.push(`${email} ${reason}`);
  }

  onVerdict(job: Job, reason: Reason, evidence: EvidenceStage[]): void {
    this.findings.push(`${job.email} ${reason}`);
    this.evidence.push(evidence);
  }

  onTryAgain(job: Job, reason: Reason, afterMs: number, evidence: EvidenceStage[]): void {
    this.findings.push(`${job.email} ${reason} again in ${afterMs}`);
    this.evidence.push(evidence);
  }

  onParked(change: 1 | -1): void {
    this.parked += change;
  }
}

export function buildJob(
  email: string,
  client: Client = new RecordingClient(),
  domain = new MailDomain(email.slice(email.indexOf('@') + 1)),
  { isProof = false, needsUtf8 = false } = {},
): Job {
  const probe = isProof ? { stage: 'proof' as const, onAnswer: () => {} } : undefined;
  return new Job({ email, mailbox: email, needsUtf8 }, client, domain, email, probe);
}

/** A question of our own that only this connection may answer. */
export function buildControl(session: JobSession, client: Client, domain: MailDomain): Job {
  const control = buildJob('known', client, domain, { isProof: true });
  control.streak = domain.streaks.add(session, 'refused', 0);
  return control;
}
