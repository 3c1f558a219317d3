import type { ReplyClass } from '../../judgement/classify-reply.ts';
import type { MailDomain } from '../jobs/job.ts';

const microsoftEdge = '.mail.protection.outlook.com';

/** Its 'Access denied' means that the recipient does not exist, and many tenants have no postmaster. */
export function isAtMicrosoftEdge({ route }: MailDomain, hostRank: number, { rule }: ReplyClass): boolean {
  if (rule !== 'microsoft-365-recipient' || route?.kind !== 'hosts') return false;
  return route.hosts[hostRank]?.endsWith(microsoftEdge) === true;
}
