import type { ReactNode } from 'react';
import { Logo } from './logo.tsx';
import classes from './plain-page.module.css';

/** A page outside the private layout: the logo, and below it one thing in the middle. */
export function PlainPage({ title, children }: { title: string; children: ReactNode }) {
  return (
    <main className={classes.root} tabIndex={-1}>
      <title>{`${title} · Assay`}</title>
      <div className={classes.logo}>
        <Logo size={36} />
      </div>
      {children}
    </main>
  );
}
