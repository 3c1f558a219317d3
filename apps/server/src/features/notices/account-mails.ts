import { activityWords, programWords, type Wallet } from '@assay/contract';
import type { SendMailOptions } from 'nodemailer';
import type { ActivityNews } from '../activity/index.ts';
import { dollars, shownDay, shownMoment } from './mail-words.ts';
import { type Envelope, noticeMail } from './notice-mail.ts';

type SecurityNews = Pick<ActivityNews, 'kind' | 'about' | 'address' | 'agent'> & {
  readonly recordedAt: string;
  /** The API key that did it, if one did. */
  readonly key?: { readonly name: string | null } | undefined;
};

const subjects: Readonly<Partial<Record<ActivityNews['kind'], string>>> = {
  'session.started': 'New sign-in to your Assay account',
  'password.changed': 'Your Assay password was changed',
  'password.reset': 'Your Assay password was reset',
  'two_step.removed': 'Two-step verification was turned off by our support',
  'api_key.created': 'A new API key was created',
  'api_key.rolled': 'An API key got a new secret',
  'webhook.created': 'A webhook was added',
  'webhook.changed': 'A webhook was changed',
};

/** What a thief would do with an account: always told, and all that happened at once in one mail. */
export function securityMail(
  news: readonly SecurityNews[],
  appUrl: string,
  envelope: Envelope,
): SendMailOptions {
  const [first] = news;
  const isOne = news.length === 1;
  const subject = (isOne && first && subjects[first.kind]) || `${news.length} changes in your Assay account`;
  return noticeMail(
    {
      subject,
      paragraphs: [
        news.every(({ key }) => key)
          ? 'If this was you, there is nothing to do. If it was not, revoke the API key that did it.'
          : 'If this was you, there is nothing to do. If it was not, change your password now and sign out everywhere.',
      ],
      ...(isOne && first
        ? { facts: factsOf(first) }
        : {
            items: news.map((one) => ({
              name: activityWords(one.kind),
              url: `${appUrl}/account/activity`,
              facts: factsOf(one),
            })),
          }),
      action: { label: 'Look at your account', url: `${appUrl}/account` },
      because:
        'You get this mail because it concerns the security of your account. Such mails cannot be turned off.',
    },
    envelope,
  );
}

const factsOf = ({ about, address, agent, recordedAt, key }: SecurityNews) =>
  [
    { name: 'What', value: about },
    { name: 'By', value: key ? `${keyWords(key)}; if this was not you, revoke it` : null },
    { name: 'When', value: shownMoment(new Date(recordedAt)) },
    { name: 'From', value: address },
    { name: 'Program', value: programWords(agent) || null },
  ].flatMap(({ name, value }) => (value === null ? [] : [{ name, value }]));

/** The first key has no name. */
const keyWords = ({ name }: { readonly name: string | null }): string =>
  name === null ? 'your first API key' : `the API key ${name}`;

/** A payment that failed, with what is owed now. */
export function failedPaymentMail(
  { plan, owed }: Wallet['subscription'],
  appUrl: string,
  envelope: Envelope,
): SendMailOptions {
  return noticeMail(
    {
      subject: 'Your payment did not go through',
      paragraphs: [
        owed && owed.plan.code !== plan.code
          ? `The ${owed.plan.code} plan begins when its first payment is made.`
          : 'Pay it, or use another card, to keep your plan. Until then your plan and your credits stay.',
      ],
      facts: owed
        ? [
            { name: 'Amount', value: dollars(owed.amount_in_cents) },
            { name: 'Plan', value: owed.plan.code },
            { name: 'To be paid by', value: shownDay(new Date(owed.until)) },
          ]
        : [],
      action: { label: 'Pay now', url: `${appUrl}/billing` },
      because: 'You get this mail because you have a paid plan.',
    },
    envelope,
  );
}

/** `about` is the plan before and the plan after, as the activity log names them. */
export const changedPlanMail = (about: string, appUrl: string, envelope: Envelope): SendMailOptions =>
  noticeMail(
    {
      subject: 'Your plan has changed',
      paragraphs: [`Your plan changed from ${planWords(about)}.`],
      action: { label: 'See your plan', url: `${appUrl}/billing` },
      because: 'You get this mail because your plan changed.',
    },
    envelope,
  );

const planWords = (about: string): string => about.replaceAll('FREE', 'Free');

export const farewellMail = (appUrl: string, envelope: Envelope): SendMailOptions =>
  noticeMail(
    {
      subject: 'Your Assay account is closed',
      paragraphs: [
        'Your account and everything in it was deleted, and a paid plan has ended. We cannot bring it back.',
        'If you did not do this, somebody else had your password: change it wherever you use it too.',
      ],
      action: { label: 'Go to Assay', url: appUrl },
      because: 'You get this mail because an account with this address was closed. It is the last one.',
    },
    envelope,
  );
