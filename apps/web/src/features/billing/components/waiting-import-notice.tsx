import { Button } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router';
import { continuingImport, findWaitingImport } from '../../../shared/bulk-import/waiting-import.ts';
import classes from './plan-notice.module.css';

/** The way back to an import that is short of credits. */
export function WaitingImportNotice() {
  const [waiting] = useState(findWaitingImport);
  if (!waiting) return null;
  return (
    <section className={classes.root} aria-label="Waiting import">
      <p>Your import of {waiting.name} waits for credits. Buy some, and it continues without a new upload.</p>
      <Button component={Link} to={waiting.path} state={continuingImport} variant="default">
        Continue import
      </Button>
    </section>
  );
}
