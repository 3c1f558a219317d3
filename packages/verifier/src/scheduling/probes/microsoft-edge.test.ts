import { expect, it } from 'vitest';
import type { MailRoute } from '../../dns/mail-route.ts';
import type { ReplyClass } from '../../judgement/classify-reply.ts';
import { MailDomain } from '../jobs/job.ts';
import { isAtMicrosoftEdge } from './microsoft-edge.ts';

const refusal = (rule: string): ReplyClass => ({ meaning: 'refused', reason: 'no_such_mailbox', rule });
const accessDenied = refusal('microsoft-365-recipient');
const hosts: MailRoute = {
  kind: 'hosts',
  hosts: ['acme-com.mail.protection.outlook.com', 'mx.acme.com', 'mail.protection.outlook.com'],
  isImplicit: false,
  expiresAt: 0,
};

it.each<[string, boolean, MailRoute | undefined, number, ReplyClass]>([
  ['Access denied of a tenant’s host', true, hosts, 0, accessDenied],
  ['other words of that host', false, hosts, 0, refusal('address-rejected')],
  ['the same words of another host', false, hosts, 1, accessDenied],
  ['a host that only has the name', false, hosts, 2, accessDenied],
  ['a host that the domain does not have', false, hosts, 3, accessDenied],
  ['a domain without hosts', false, { kind: 'no_mail_host', expiresAt: 0 }, 0, accessDenied],
  ['a domain that was not looked up', false, undefined, 0, accessDenied],
])('%s is at the edge of Microsoft: %s', (_, isThere, route, rank, answer) => {
  const domain = new MailDomain('acme.com');
  domain.route = route;
  expect(isAtMicrosoftEdge(domain, rank, answer)).toBe(isThere);
});
