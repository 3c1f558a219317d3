import type { User } from '@assay/contract';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { Banner } from '../../shared/components/banner.tsx';
import { lateDialog } from '../../shared/components/late-parts.tsx';

const RequestCallDialog = lateDialog(
  async () => (await import('../../shared/request-call/request-call-dialog.tsx')).RequestCallDialog,
);

const texts: Readonly<Record<NonNullable<User['restriction']>, string>> = {
  suspended:
    'Your account is suspended. You can still read and export everything, but your lists are paused and nothing new can be started. Request a call to learn why and how to reopen it.',
  held: 'We are reviewing your account. Until we have finished, your lists are paused and nothing new can be started. You need not do anything; request a call if you have questions.',
};

/** Above every page of an account that may not do everything. It stays until the account is open again. */
export function RestrictionBanner({ restriction }: { restriction: User['restriction'] }) {
  const [isCallOpen, setIsCallOpen] = useState(false);
  if (restriction === undefined) return null;
  return (
    <>
      <Banner
        label="Restricted account"
        isUrgent
        action={
          <Button variant="default" onClick={() => setIsCallOpen(true)}>
            Request a call
          </Button>
        }
      >
        {texts[restriction]}
      </Banner>
      <RequestCallDialog isOpen={isCallOpen} onClose={() => setIsCallOpen(false)} />
    </>
  );
}
