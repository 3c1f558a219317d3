import type { Verdict } from '@assay/contract';
import { Tooltip, UnstyledButton } from '@mantine/core';
import { Icon } from '../../../shared/components/icon.tsx';
import { VerdictMark } from '../../../shared/components/verdict-mark.tsx';
import { verdictLooks } from '../../../shared/components/verdicts.ts';
import classes from './verdict-button.module.css';

interface VerdictButtonProps {
  verdict: Verdict;
  /** Why, in words: shown when the pointer or the focus is on it. */
  reason: string | undefined;
  /** Opens the evidence. */
  onOpen: () => void;
}

/** A verdict in a grid that says why when it is asked. */
export function VerdictButton({ verdict, reason, onOpen }: VerdictButtonProps) {
  return (
    <Tooltip
      label={reason}
      disabled={reason === undefined}
      multiline
      w={280}
      events={{ hover: true, focus: true, touch: false }}
    >
      <UnstyledButton
        className={classes.root}
        onClick={onOpen}
        aria-label={`${verdictLooks[verdict].label}, show evidence`}
      >
        <VerdictMark verdict={verdict} label />
        <span className={classes.sign}>
          <Icon name="details" size={16} />
        </span>
      </UnstyledButton>
    </Tooltip>
  );
}
