import type { KeyUsage, ScopedKey } from '@assay/contract';
import { Modal, VisuallyHidden } from '@mantine/core';
import { AsyncSlot, Skeleton } from '../../../shared/components/async-slot.tsx';
import { asyncStateOf } from '../../../shared/components/async-state.ts';
import { formatCredits } from '../../../shared/format/counts.ts';
import { formatChartDay } from '../../../shared/format/dates.ts';
import { useKeyUsage } from '../api/scoped-keys.ts';
import classes from './key-usage-dialog.module.css';

interface KeyUsageDialogProps {
  isOpen: boolean;
  apiKey: ScopedKey;
  onClose: () => void;
}

export function KeyUsageDialog({ isOpen, apiKey, onClose }: KeyUsageDialogProps) {
  return (
    <Modal opened={isOpen} onClose={onClose} title={`Usage of ${apiKey.name}`} size="40rem">
      <Usage apiKey={apiKey} />
    </Modal>
  );
}

type Days = KeyUsage['results'];

function Usage({ apiKey }: { apiKey: ScopedKey }) {
  const usage = useKeyUsage(apiKey);
  return (
    <AsyncSlot
      state={asyncStateOf(usage)}
      name="usage"
      skeleton={<Skeleton height="12rem" />}
      onRetry={() => void usage.refetch()}
    >
      {(days) => <Bars days={days} />}
    </AsyncSlot>
  );
}

/** The server counts in days of UTC. */
const dayLabel = (date: string): string => formatChartDay(date, 'UTC');
const sumOf = (days: Days): number => days.reduce((sum, { credits }) => sum + credits, 0);

function Bars({ days }: { days: Days }) {
  const total = sumOf(days);
  const highest = Math.max(...days.map(({ credits }) => credits));
  const caption = `${formatCredits(total)} ${total === 1 ? 'credit' : 'credits'} in the last ${days.length} days`;
  if (total === 0) return <p className={classes.caption}>No credits in the last {days.length} days.</p>;
  return (
    <>
      <p className={classes.caption}>{caption}</p>
      <div className={classes.plot} aria-hidden="true">
        {days.map(({ date, credits }) => (
          <div key={date} className={classes.day} title={`${dayLabel(date)}: ${formatCredits(credits)}`}>
            <div className={classes.bar} style={{ height: `${(credits / highest) * 100}%` }} />
          </div>
        ))}
      </div>
      <div className={classes.axis} aria-hidden="true">
        <span>{dayLabel(days[0]?.date ?? '')}</span>
        <span>highest day: {formatCredits(highest)}</span>
        <span>{dayLabel(days.at(-1)?.date ?? '')}</span>
      </div>
      <VisuallyHidden>
        <table>
          <caption>{caption}</caption>
          <thead>
            <tr>
              <th scope="col">Day</th>
              <th scope="col">Credits</th>
            </tr>
          </thead>
          <tbody>
            {days
              .filter(({ credits }) => credits > 0)
              .map(({ date, credits }) => (
                <tr key={date}>
                  <th scope="row">{dayLabel(date)}</th>
                  <td>{formatCredits(credits)}</td>
                </tr>
              ))}
          </tbody>
        </table>
      </VisuallyHidden>
    </>
  );
}
