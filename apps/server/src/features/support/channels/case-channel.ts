import type { User } from '@assay/contract';
import type { CaseChannelName } from '../support.jobs.ts';

/** A case with its customer. */
export interface CaseToSend {
  readonly id: string;
  readonly subject: string;
  readonly description: string;
  readonly createdAt: Date;
  readonly customer: Pick<User, 'id' | 'first_name' | 'last_name' | 'email_address' | 'phone'>;
}

/** A channel that cases are sent to. */
export interface CaseChannel {
  readonly name: CaseChannelName;
  /** Resolves when the channel has accepted the case; else throws an error without personal data. */
  send(supportCase: CaseToSend, signal: AbortSignal): Promise<void>;
}
