import { useTransition } from 'react';
import { useLocation } from 'react-router';
import { ConfirmDialog } from '../../../shared/components/confirm-dialog.tsx';
import { useServices } from '../../../shared/services/services-context.tsx';
import { type Resumable, resumeAfterSignIn } from '../resume.ts';

interface SignInAgainDialogProps {
  isOpen: boolean;
  /** What the person continues with afterwards. */
  resume: Resumable;
  onCancel: () => void;
}

/** Offers the trip to the provider that an action needs, and comes back to the action. */
export function SignInAgainDialog({ isOpen, resume, onCancel }: SignInAgainDialogProps) {
  const { signInTrips } = useServices();
  const { pathname } = useLocation();
  const [isLeaving, startLeaving] = useTransition();
  const leave = async () => {
    resumeAfterSignIn(resume);
    await signInTrips.signInAgain(pathname, 'confirm');
  };
  return (
    <ConfirmDialog
      isOpen={isOpen}
      title="Sign in again"
      confirmLabel="Sign in"
      isBusy={isLeaving}
      onConfirm={() => startLeaving(leave)}
      onCancel={onCancel}
    >
      For your safety this needs a sign-in from the last 10 minutes. Afterwards you are back here.
    </ConfirmDialog>
  );
}
