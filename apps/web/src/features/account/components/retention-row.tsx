import { type ExpiredWork, RETENTION_DAYS, type RetentionDays } from '@assay/contract';
import { NativeSelect } from '@mantine/core';
import { ConfirmDialog } from '../../../shared/components/confirm-dialog.tsx';
import { usePanel } from '../../../shared/components/use-panel.ts';
import { useCountExpired, useRetention, useSetRetention } from '../api/retention.ts';
import { expiredWords, isShorter, keptWords } from '../retention-words.ts';
import classes from './records-section.module.css';

const FOREVER = 'forever';
const choices = [
  ...RETENTION_DAYS.map((days) => ({ value: String(days), label: `${days} days` })),
  { value: FOREVER, label: 'Forever' },
];
const daysOf = (value: string): RetentionDays | null =>
  value === FOREVER ? null : (Number(value) as RetentionDays);

/** How long lists and single checks are kept. A shorter time says what it deletes before it is chosen. */
export function RetentionRow() {
  const retention = useRetention();
  const setRetention = useSetRetention();
  const countExpired = useCountExpired();
  const asking = usePanel<{ days: RetentionDays; expired: ExpiredWork }>();
  const days = setRetention.isPending ? setRetention.variables : retention.data?.days;
  const choose = (chosen: RetentionDays | null) => {
    if (chosen === null || !isShorter(days ?? null, chosen)) return setRetention.mutate(chosen);
    countExpired.mutate(chosen, { onSuccess: (expired) => asking.open({ days: chosen, expired }) });
  };
  return (
    <>
      <div className={classes.words}>
        <span id="retention-label">Keep lists and single verifications</span>
        <p className={classes.aside}>{keptWords(days ?? null)}</p>
      </div>
      <NativeSelect
        aria-labelledby="retention-label"
        value={days === undefined ? '' : String(days ?? FOREVER)}
        data={days === undefined ? [{ value: '', label: 'Loading…' }, ...choices] : choices}
        disabled={days === undefined || setRetention.isPending || countExpired.isPending}
        onChange={({ currentTarget }) => choose(daysOf(currentTarget.value))}
      />
      <ConfirmDialog
        isOpen={asking.isOpen}
        title={`Keep lists and single verifications for ${asking.subject?.days} days?`}
        confirmLabel="Delete after this time"
        isDestructive
        isBusy={setRetention.isPending}
        onConfirm={() => {
          if (asking.subject) setRetention.mutate(asking.subject.days, { onSettled: asking.close });
        }}
        onCancel={asking.close}
      >
        {asking.subject ? expiredWords(asking.subject.expired, asking.subject.days) : null}
      </ConfirmDialog>
    </>
  );
}
