import { Title } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import classes from './account-section.module.css';

interface AccountSectionProps {
  title: string;
  /** A button at the end of the title's line. */
  action?: ReactNode;
  children: ReactNode;
}

export function AccountSection({ title, action, children }: AccountSectionProps) {
  const titleId = useId();
  return (
    <section aria-labelledby={titleId} className={classes.root}>
      <div className={classes.head}>
        <Title order={2} id={titleId} className={classes.title}>
          {title}
        </Title>
        {action}
      </div>
      {children}
    </section>
  );
}
