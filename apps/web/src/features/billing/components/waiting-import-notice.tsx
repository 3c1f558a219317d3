import { Button } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router';
import { continuingImport, findWaitingImport } from '../../../shared/bulk-import/waiting-import.ts';
import { Notice } from './notice.tsx';

/** The way back to an import that is short of credits. */
export function WaitingImportNotice() {
  const [waiting] = useState(findWaitingImport);
  if (!waiting) return null;
  return (
    <section aria-label="Waiting import">
      <Notice
        action={
          <Button component={Link} to={waiting.path} state={continuingImport} variant="default">
            Continue import
          </Button>
        }
      >
        Your import of {waiting.name} waits for credits. Buy some, and it continues without a new upload.
      </Notice>
    </section>
  );
}
