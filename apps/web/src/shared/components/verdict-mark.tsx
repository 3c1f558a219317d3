import type { ReactNode } from 'react';
import classes from './verdict-mark.module.css';
import { type Verdict, verdictLooks } from './verdicts.ts';

// Like the hallmarks that an assay office strikes, each mark has an outline of its own besides its sign and its colour.
const punches: Record<Verdict, ReactNode> = {
  VALID: (
    <>
      <circle cx="12" cy="12" r="11" className={classes.punch} />
      <path d="M6.8 12.4l3.6 3.6 6.9-7.6" className={classes.sign} />
    </>
  ),
  INVALID: (
    <>
      <path d="M7.4 1h9.2L23 7.4v9.2L16.6 23H7.4L1 16.6V7.4z" className={classes.punch} />
      <path d="M8 8l8 8M16 8l-8 8" className={classes.sign} />
    </>
  ),
  CATCH_ALL: (
    <>
      <rect x="1.5" y="1.5" width="21" height="21" rx="5" className={classes.punch} />
      <path
        d="M5.2 9.8c2.3-2.6 4.5-2.6 6.8 0s4.5 2.6 6.8 0M5.2 15.4c2.3-2.6 4.5-2.6 6.8 0s4.5 2.6 6.8 0"
        className={classes.sign}
      />
    </>
  ),
  UNKNOWN: (
    <>
      <path d="M12 .4L23.6 12 12 23.6.4 12z" className={classes.punch} />
      <path d="M9.5 9.7a2.5 2.5 0 1 1 3.9 2.1c-.9.6-1.4 1.1-1.4 2.1" className={classes.sign} />
      <circle cx="12" cy="17" r="1.35" className={classes.dot} />
    </>
  ),
  PENDING: (
    <>
      <circle cx="12" cy="12" r="9" className={classes.track} />
      <path d="M12 3a9 9 0 0 1 9 9" className={classes.arc} />
    </>
  ),
};

interface VerdictMarkProps {
  verdict: Verdict;
  /** Side in px. */
  size?: number;
  /** Shows the verdict's word beside the mark, or another text, such as 'Verifying...'. */
  label?: boolean | string;
}

export function VerdictMark({ verdict, size = 18, label = false }: VerdictMarkProps) {
  const { label: word, color, textColor } = verdictLooks[verdict];
  const style = { '--mark-color': color, '--mark-text': textColor, '--mark-size': `${size}px` };
  const text = label === true ? word : label;
  return (
    <span className={classes.root} style={style as React.CSSProperties} data-verdict={verdict}>
      {text ? (
        <svg viewBox="0 0 24 24" className={classes.svg} aria-hidden="true">
          {punches[verdict]}
        </svg>
      ) : (
        <svg viewBox="0 0 24 24" className={classes.svg} role="img" aria-label={word}>
          <title>{word}</title>
          {punches[verdict]}
        </svg>
      )}
      {text ? <span className={classes.label}>{text}</span> : null}
    </span>
  );
}
