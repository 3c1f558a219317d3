import { startTestMailbox } from '@assay/stand-ins/testing/mailbox';
import { it, onTestFinished } from 'vitest';
import {
  changedPlanMail,
  failedPaymentMail,
  farewellMail,
  securityMail,
} from '../../apps/server/src/features/notices/account-mails.ts';
import { balanceMail } from '../../apps/server/src/features/notices/balance-mails.ts';
import { type EndedList, endedListsMail } from '../../apps/server/src/features/notices/ended-lists-mail.ts';
import { openMailer } from '../../packages/identity/src/mailer.ts';
import { openPage } from '../e2e/support/visitor.ts';
import { takePictures } from './pictures.ts';

const appUrl = 'https://assay.example';
const envelope = {
  ...{ to: 'ada@exists.test', from: 'no-reply@assay.example', id: '1' },
  unsubscribeUrl: `${appUrl}/api/notices/unsubscribe?order=${'x'.repeat(120)}`,
};
/** Mails that cannot be turned off. */
const security = { ...envelope, unsubscribeUrl: null };
const at = '2026-11-18T09:30:00Z';
const plan = { code: '50K', monthly_credits: 50_000, monthly_cost_in_cents: 12_500 };

const complete: EndedList = {
  ...{
    kind: 'emails',
    id: '0b8f4c1e-5a72-4d0e-9c3b-2f6a1d7e8b90',
    name: 'spring',
    chargedCredits: 3_101_106,
  },
  counts: ['Valid', 'Invalid', 'Catch all', 'Unknown'].map((name) => ({ name, count: 1_000_000 })),
  problem: null,
};
const failed: EndedList = {
  ...{ ...complete, name: `قائمة-${'a-very-long-name-'.repeat(8)}`, counts: [], chargedCredits: 0 },
  problem: 'The file could not be read. Send the file again. Nothing was charged.',
};
const news: Parameters<typeof securityMail>[0][number] = {
  kind: 'session.started',
  about: null,
  address: '2001:db8:1:2::/64',
  recordedAt: at,
  agent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
};
const newWebhook: typeof news = {
  ...news,
  kind: 'webhook.created',
  about: `https://shop.example.com/hooks/${'a-long-path-'.repeat(10)}`,
  key: { name: 'Web shop' },
};

const notices: Readonly<Record<string, ReturnType<typeof endedListsMail>>> = {
  'list-complete': endedListsMail([complete], appUrl, envelope),
  'list-failed': endedListsMail([failed], appUrl, envelope),
  'lists-ended': endedListsMail([complete, failed, complete], appUrl, envelope),
  'new-sign-in': securityMail([news], appUrl, security),
  'security-news': securityMail([newWebhook, { ...news, kind: 'password.changed' }], appUrl, security),
  'payment-failed': failedPaymentMail(
    {
      ...{ status: 'past_due', plan, pending_change: null, next_renewal_date: at },
      owed: { invoice_id: 'in_1', amount_in_cents: 12_500, plan, until: at },
    },
    appUrl,
    envelope,
  ),
  'plan-changed': changedPlanMail('FREE to 50K', appUrl, envelope),
  farewell: farewellMail(appUrl, security),
  'balance-low': balanceMail({ low: { threshold: 1_000, balance: 998 } }, appUrl, envelope),
  'top-up-stopped': balanceMail({ stoppedBecause: 'declined' }, appUrl, envelope),
  'top-up-capped': balanceMail({ reachedCap: { capCents: 10_000, until: at } }, appUrl, envelope),
};

/** The mails of the sign-in pages, by the names of their pictures. */
async function signInMails(): Promise<Record<string, string>> {
  const mailbox = await startTestMailbox();
  onTestFinished(() => mailbox.close());
  const mailer = await openMailer({ relayUrl: mailbox.url, from: envelope.from, homeUrl: `${appUrl}/` });
  onTestFinished(() => mailer.close());
  const { to } = envelope;
  await mailer.sendCode(to, '123456');
  await mailer.sendAlreadyRegistered(to);
  await mailer.sendPasswordChanged(to, { isTwoStepOn: true });
  await mailer.sendSecurityChange(to, { what: 'passkey_added', name: 'Laptop', wasOn: false, isOn: true });
  const names = ['code', 'already-registered', 'password-changed', 'two-step-on'];
  return Object.fromEntries(names.map((name, number) => [name, htmlIn(mailbox.mails[number]?.source ?? '')]));
}

/** Of a mail in quoted-printable. */
function htmlIn(source: string): string {
  const [, part = ''] = source.split(/content-type: text\/html.*\r\n/i);
  const encoded = part.slice(part.indexOf('\r\n\r\n'), part.indexOf('\r\n--'));
  const bytes = encoded
    .replaceAll(/=\r\n/g, '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, byte) => String.fromCharCode(Number.parseInt(byte, 16)));
  return Buffer.from(bytes, 'latin1').toString('utf8');
}

it('every mail, as programs show it that keep its sheet, and as those that drop it', async () => {
  const page = await openPage();
  let shown = '';
  // Without the policy of our pages, which lets in no style of its own.
  await page.route('**/mail.html', (route) => route.fulfill({ contentType: 'text/html', body: shown }));
  const open = async (html: string) => {
    shown = html;
    await page.goto('/mail.html');
  };
  const mails = Object.entries(notices).map(([name, { html }]) => [name, String(html)] as const);
  for (const [name, html] of [...mails, ...Object.entries(await signInMails())]) {
    await open(html);
    await takePictures(page, `mail-${name}`, [320, 768]);
  }
  const [[, html = ''] = []] = mails;
  await open(html.replace(/<style>.*<\/style>/s, ''));
  await takePictures(page, 'mail-without-sheet', [320, 768]);
});
