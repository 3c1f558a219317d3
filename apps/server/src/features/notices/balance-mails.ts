import { TOP_UP_STOP_TEXTS } from '@assay/contract';
import type { SendMailOptions } from 'nodemailer';
import { dollars, shownDay } from './mail-words.ts';
import { type Envelope, noticeMail } from './notice-mail.ts';
import type { BalanceNews } from './notices.jobs.ts';

const counts = new Intl.NumberFormat('en-US');

/** A balance below a threshold, a top-up that has stopped or has reached its cap, or several at once. */
export function balanceMail(
  { low, stoppedBecause, reachedCap }: BalanceNews,
  appUrl: string,
  envelope: Envelope,
): SendMailOptions {
  const threshold = low && `Your balance is below ${counts.format(low.threshold)} credits`;
  const topUp = stoppedBecause
    ? { subject: 'Automatic top-up has stopped', text: TOP_UP_STOP_TEXTS[stoppedBecause] }
    : reachedCap && {
        subject: 'Automatic top-up has reached its cap',
        text: `The cap of ${dollars(reachedCap.capCents)} for this month is used up. Automatic top-up continues on ${shownDay(new Date(reachedCap.until))}. Raise the cap to buy sooner.`,
      };
  return noticeMail(
    {
      subject: topUp?.subject ?? threshold ?? 'Your balance',
      paragraphs: topUp ? [topUp.text] : [],
      facts: low
        ? [
            { name: 'Balance', value: `${counts.format(low.balance)} credits` },
            { name: 'Your threshold', value: `${counts.format(low.threshold)} credits` },
          ]
        : [],
      action: topUp
        ? { label: 'Go to Automatic top-up', url: `${appUrl}/billing/top-up` }
        : { label: 'Buy credits', url: `${appUrl}/billing/packs` },
      because: topUp
        ? 'You get this mail because you turned automatic top-up on.'
        : `You get this mail because you set this threshold. You can change or remove it at ${appUrl}/billing/alerts.`,
    },
    envelope,
  );
}
