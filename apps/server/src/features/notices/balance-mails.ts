import { TOP_UP_STOP_TEXTS } from '@assay/contract';
import type { SendMailOptions } from 'nodemailer';
import { type Envelope, noticeMail } from './notice-mail.ts';
import type { BalanceNews } from './notices.jobs.ts';

const counts = new Intl.NumberFormat('en-US');

/** A balance below a threshold, a top-up that has stopped, or both at once. */
export function balanceMail(
  { low, stoppedBecause }: BalanceNews,
  appUrl: string,
  envelope: Envelope,
): SendMailOptions {
  const threshold = low && `Your balance is below ${counts.format(low.threshold)} credits`;
  return noticeMail(
    {
      subject: stoppedBecause ? 'Automatic top-up has stopped' : (threshold ?? 'Your balance'),
      lines: [
        ...(stoppedBecause ? [TOP_UP_STOP_TEXTS[stoppedBecause]] : []),
        ...(low ? [`${threshold}: you have ${counts.format(low.balance)} left.`] : []),
        `${stoppedBecause ? 'Change it, or buy' : 'Buy'} credits:\n${appUrl}/billing`,
      ],
      because: stoppedBecause
        ? 'You get this mail because you turned automatic top-up on.'
        : 'You get this mail because you set this threshold. You can change or remove it on the same page.',
    },
    envelope,
  );
}
