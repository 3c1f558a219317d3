import { Title } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import classes from './section.module.css';

interface SectionProps {
  title: string;
  /** A button at the end of the title's line. */
  action?: ReactNode;
  children: ReactNode;
}

/** A titled part of a page, on a surface of its own. */
export function Section({ title, action, children }: SectionProps) {
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
