import type { ReactNode } from 'react';
import classes from './grid-tools.module.css';

/** Search, filters and downloads above a grid, or beside its tab where there is room. */
export const GridTools = ({ children }: { children: ReactNode }) => (
  <div className={classes.root} data-grid-tools>
    {children}
  </div>
);
