import { Title, VisuallyHidden } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { LineSkeleton } from './async-slot.tsx';
import { Icon } from './icon.tsx';
import classes from './page-header.module.css';

interface PageHeaderProps {
  /** Undefined while it loads. */
  title: string | undefined;
  description?: ReactNode;
  /** Where the back arrow leads; without it there is none. */
  back?: { to: string; label: string };
  /** Buttons or a menu at the end of the line. */
  actions?: ReactNode;
}

export function PageHeader({ title, description, back, actions }: PageHeaderProps) {
  return (
    <div className={classes.root}>
      {back ? (
        <Link to={back.to} className={classes.back} aria-label={back.label}>
          <Icon name="back" />
        </Link>
      ) : null}
      <div className={classes.words}>
        <Title order={1} className={classes.title}>
          {title === undefined ? (
            <>
              <VisuallyHidden>Loading</VisuallyHidden>
              <LineSkeleton width="10rem" />
            </>
          ) : (
            <bdi>{title}</bdi>
          )}
        </Title>
        {description ? <p className={classes.description}>{description}</p> : null}
      </div>
      {actions ? <div className={classes.actions}>{actions}</div> : null}
    </div>
  );
}
