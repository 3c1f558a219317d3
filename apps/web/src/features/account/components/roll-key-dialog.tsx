import { SCOPED_KEYS, type ScopedKey } from '@assay/contract';
import { NativeSelect } from '@mantine/core';
import { useState } from 'react';
import { FormButtons } from '../../../shared/components/form-buttons.tsx';
import { FormDialog } from '../../../shared/components/form-dialog.tsx';
import { FormErrors } from '../../../shared/components/form-errors.tsx';
import { SecretOnce } from '../../../shared/components/secret-once.tsx';
import { formErrorText } from '../../../shared/errors/form-error-text.ts';
import { isSignInAgain } from '../../../shared/errors/rejected-call.ts';
import { useRollScopedKey } from '../api/scoped-keys.ts';
import classes from './more-keys.module.css';

interface RollKeyDialogProps {
  isOpen: boolean;
  apiKey: ScopedKey;
  /** A new secret needs a recent sign-in. */
  onSignInNeeded: () => void;
  onClose: () => void;
}

export function RollKeyDialog({ isOpen, ...props }: RollKeyDialogProps) {
  return (
    <FormDialog
      isOpen={isOpen}
      onClose={props.onClose}
      title={`Roll ${props.apiKey.name}`}
      size="28rem"
      closeOnClickOutside={false}
    >
      <RollForm {...props} />
    </FormDialog>
  );
}

const overlaps = [
  { value: '0', label: 'Refuse it at once' },
  { value: '1', label: '1 hour' },
  { value: String(SCOPED_KEYS.overlapHoursDefault), label: '1 day' },
  { value: String(SCOPED_KEYS.overlapHoursMax), label: '7 days' },
];

function RollForm({ apiKey, onSignInNeeded, onClose }: Omit<RollKeyDialogProps, 'isOpen'>) {
  const [overlapHours, setOverlapHours] = useState(String(SCOPED_KEYS.overlapHoursDefault));
  const roll = useRollScopedKey(apiKey);
  if (roll.data) return <SecretOnce label="Your new key" secret={roll.data.api_token} onDone={onClose} />;
  return (
    <form
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault();
        roll.mutate(Number(overlapHours), { onError: (error) => isSignInAgain(error) && onSignInNeeded() });
      }}
    >
      <p className={classes.text}>
        The key gets a new secret and keeps everything else. A secret that was rolled before stops at once.
      </p>
      <NativeSelect
        label="The old secret works for"
        data-autofocus
        value={overlapHours}
        data={overlaps}
        onChange={({ currentTarget }) => setOverlapHours(currentTarget.value)}
      />
      <FormErrors text={formErrorText(roll.error)} />
      <FormButtons submitLabel="Roll" isBusy={roll.isPending} onCancel={onClose} />
    </form>
  );
}
