import type { ReactNode } from 'react';
import { Icon } from '../../../shared/components/icon.tsx';
import row from '../../../shared/components/notice-row.module.css';
import classes from './notice.module.css';

interface NoticeProps {
  children: ReactNode;
  /** What to do about it. */
  action?: ReactNode;
  isUrgent?: boolean;
}

/** A sentence inside a card, with a button at its end. */
export function Notice({ children, action, isUrgent = false }: NoticeProps) {
  return (
    <div
      className={`${row.root} ${classes.root}`}
      data-urgent={isUrgent}
      role={isUrgent ? 'alert' : undefined}
    >
      <p>
        {isUrgent ? <Icon name="warning" /> : null}
        <span>{children}</span>
      </p>
      {action}
    </div>
  );
}
