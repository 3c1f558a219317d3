import type { Verdict } from '@assay/contract';
import { Tooltip, UnstyledButton } from '@mantine/core';
import { Icon } from '../components/icon.tsx';
import { VerdictMark } from '../components/verdict-mark.tsx';
import { verdictLooks } from '../components/verdicts.ts';
import classes from './verdict-button.module.css';

interface VerdictButtonProps {
  verdict: Verdict;
  /** The word beside the mark where that is not the verdict's own. */
  label?: string;
  /** Why, in words: shown when the pointer or the focus is on it. */
  reason: string | undefined;
  /** Opens the evidence. */
  onOpen: () => void;
}

/** A verdict in a grid that says why when it is asked. */
export function VerdictButton({ verdict, label, reason, onOpen }: VerdictButtonProps) {
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
        aria-label={`${label ?? verdictLooks[verdict].label}, show evidence`}
      >
        <VerdictMark verdict={verdict} label={label ?? true} />
        <span className={classes.sign}>
          <Icon name="details" size={16} />
        </span>
      </UnstyledButton>
    </Tooltip>
  );
}
