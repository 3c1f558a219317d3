import type { User } from '@assay/contract';
import type { CaseChannelName } from '../support.jobs.ts';

/** A case with the customer who opened it, as whoever answers it needs to see it. */
export interface CaseToSend {
  readonly id: string;
  readonly subject: string;
  readonly description: string;
  readonly createdAt: Date;
  readonly customer: Pick<User, 'id' | 'first_name' | 'last_name' | 'email_address' | 'phone'>;
}

/** One place that cases are sent to. */
export interface CaseChannel {
  readonly name: CaseChannelName;
  /** Resolves once the place has taken the case; otherwise throws a sentence without personal data. */
  send(supportCase: CaseToSend, signal: AbortSignal): Promise<void>;
}
