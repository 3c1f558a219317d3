import type { ReactNode } from 'react';
import { Skeleton } from '../../../shared/components/async-slot.tsx';
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

/** A fact whose figure still loads. */
export const FactSkeleton = ({ name }: { name: string }) => (
  <div>
    <dt>{name}</dt>
    <dd>
      <Bone width="6rem" />
    </dd>
    <dd className={classes.aside}>
      <Bone width="8rem" />
    </dd>
  </div>
);

export const FactSkeletons = ({ names }: { names: readonly string[] }) => (
  <Facts>
    {names.map((name) => (
      <FactSkeleton key={name} name={name} />
    ))}
  </Facts>
);

/** As high as a line of text. */
const Bone = ({ width }: { width: string }) => (
  <span className={classes.bone}>
    <Skeleton width={width} height="0.75em" />
  </span>
);
