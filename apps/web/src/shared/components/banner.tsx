import type { ReactNode } from 'react';
import classes from './banner.module.css';
import { Icon } from './icon.tsx';
import row from './notice-row.module.css';

interface BannerProps {
  label: string;
  /** A button at its end. */
  action: ReactNode;
  isUrgent?: boolean;
  children: ReactNode;
}

/** A sentence above the page. */
export function Banner({ label, action, isUrgent = false, children }: BannerProps) {
  return (
    <section className={`${row.root} ${classes.root}`} aria-label={label} data-urgent={isUrgent}>
      <p>
        <Icon name="warning" />
        <span>{children}</span>
      </p>
      {action}
    </section>
  );
}
