import type { ReactNode } from 'react';
import classes from './facts.module.css';

/** Figures side by side. */
export function Facts({ children }: { children: ReactNode }) {
  return <dl className={classes.root}>{children}</dl>;
}

interface FactProps {
  name: string;
  children: ReactNode;
  /** A few words below the figure. */
  aside?: string | null;
}

export function Fact({ name, children, aside = null }: FactProps) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
      {aside === null ? null : <dd className={classes.aside}>{aside}</dd>}
    </div>
  );
}
