import type { Verdict } from '@assay/contract';
import { UnstyledButton } from '@mantine/core';
import { useId, useRef, useState } from 'react';
import { Icon } from '../components/icon.tsx';
import { lateDialog } from '../components/late-parts.tsx';
import { VerdictMark } from '../components/verdict-mark.tsx';
import { verdictLooks } from '../components/verdicts.ts';
import classes from './verdict-button.module.css';

// A page of rows has many, and few are ever looked at.
const ReasonTip = lateDialog(async () => (await import('./reason-tip.tsx')).ReasonTip);

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
  const button = useRef<HTMLButtonElement>(null);
  const tipId = useId();
  const [isHovered, setIsHovered] = useState(false);
  const [isFocused, setIsFocused] = useState(false);
  const isAsked = reason !== undefined && (isHovered || isFocused);
  return (
    <>
      <UnstyledButton
        ref={button}
        className={classes.root}
        onClick={onOpen}
        aria-label={`${label ?? verdictLooks[verdict].label}, show evidence`}
        aria-describedby={isAsked ? tipId : undefined}
        // Not for a finger, which opens the evidence instead.
        onPointerEnter={({ pointerType }) => setIsHovered(pointerType !== 'touch')}
        onPointerLeave={() => setIsHovered(false)}
        onFocus={({ currentTarget }) => setIsFocused(currentTarget.matches(':focus-visible'))}
        onBlur={() => setIsFocused(false)}
      >
        <VerdictMark verdict={verdict} label={label ?? true} />
        <span className={classes.sign}>
          <Icon name="details" size={16} />
        </span>
      </UnstyledButton>
      <ReasonTip isOpen={isAsked} id={tipId} reason={reason} target={button} />
    </>
  );
}
