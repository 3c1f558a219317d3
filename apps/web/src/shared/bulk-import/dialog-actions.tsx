import { Group } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './dialog-actions.module.css';

/** What the button beside it costs, in sight where the rest of the offer is not. */
export const Price = ({ children }: { children: ReactNode }) => <p className={classes.price}>{children}</p>;

/** The buttons at the end of a dialog. They stay in sight while a long dialog scrolls. */
export const DialogActions = ({ children }: { children: ReactNode }) => (
  <Group justify="flex-end" gap="xs" className={classes.root}>
    {children}
  </Group>
);
