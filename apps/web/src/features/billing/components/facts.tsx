import type { ReactNode } from 'react';
import { LineSkeleton } from '../../../shared/components/async-slot.tsx';
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

interface FactSkeletonProps {
  name: string;
  width: string;
  /** Of the words below the figure; none unless given. */
  asideWidth?: string;
}

/** A fact whose figure still loads. */
export const FactSkeleton = ({ name, width, asideWidth }: FactSkeletonProps) => (
  <div>
    <dt>{name}</dt>
    <dd>
      <LineSkeleton width={width} />
    </dd>
    {asideWidth === undefined ? null : (
      <dd className={classes.aside}>
        <LineSkeleton width={asideWidth} />
      </dd>
    )}
  </div>
);
