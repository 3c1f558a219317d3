import { Button, Progress } from '@mantine/core';
import type { RowAction } from '../components/data-grid/row-action.ts';
import { Icon } from '../components/icon.tsx';
import { percentDone } from '../format/percent-done.ts';
import { DesktopNoticeSwitch } from '../notices/desktop-notice-switch.tsx';
import type { AnyList } from './any-list.ts';
import { percentPrepared, preparingWords } from './preparation-words.ts';
import classes from './processing-notice.module.css';
import { runStateWords, waitsInWords } from './run-state-words.ts';
import { timeLeftWords } from './time-left.ts';
import { useTimeLeft } from './use-time-left.ts';

interface ProcessingNoticeProps {
  list: AnyList;
  /** What the bar counts: 'Emails verified'. */
  what: string;
  rowsText: (count: number) => string;
  controls: readonly RowAction[];
}

/** Shown until a list is complete: how far it is, what it waits for, and what can be done about it. */
export function ProcessingNotice({ list, what, rowsText, controls }: ProcessingNoticeProps) {
  const isPreparing = list.run_state === 'preparing';
  const percent = isPreparing ? percentPrepared(list) : percentDone(list);
  const state = isPreparing ? preparingWords(list) : runStateWords(list.run_state);
  const waits = waitsInWords(list, rowsText);
  const left = timeLeftWords(useTimeLeft(list), list.waiting, new Date());
  return (
    <section className={classes.root} aria-label="Progress">
      <div className={classes.line}>
        <p className={classes.words}>
          <span>This list is still being processed</span>
          {state ? <span className={classes.state}>{state}</span> : null}
          <strong>{percent}%</strong>
          {left ? <span className={classes.left}>{left}</span> : null}
        </p>
        <DesktopNoticeSwitch />
        {controls.map(({ label, icon, isDisabled, onSelect }) => (
          <Button
            key={label}
            size="xs"
            variant="default"
            disabled={isDisabled ?? false}
            leftSection={icon ? <Icon name={icon} size={16} /> : null}
            onClick={onSelect}
          >
            {label}
          </Button>
        ))}
      </div>
      <Progress.Root size="sm">
        <Progress.Section
          value={percent}
          color="var(--assay-accent)"
          aria-label={isPreparing ? 'Rows copied' : what}
        />
      </Progress.Root>
      {waits.length === 0 ? null : (
        <ul className={classes.waits} aria-label="What we wait for">
          {waits.map((words) => (
            <li key={words}>{words}</li>
          ))}
        </ul>
      )}
    </section>
  );
}
