import { Button, Group, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { copyToClipboard } from './copy-to-clipboard.ts';
import { useKeepDialogOpen } from './form-dialog.tsx';
import classes from './secret-once.module.css';

interface SecretOnceProps {
  label: string;
  secret: string;
  /** What to do with it. */
  children?: ReactNode;
  onDone: () => void;
}

/** A secret that is shown once. Only 'Done' closes its dialog: Escape or a click beside it would lose the secret. */
export function SecretOnce({ label, secret, children, onDone }: SecretOnceProps) {
  useKeepDialogOpen(true);
  const copy = () => void copyToClipboard(Promise.resolve(secret), 'Select it and copy it yourself.');
  return (
    <div className={classes.root}>
      <div role="status">
        <TextInput
          label={label}
          description="Copy it now: we show it only once."
          value={secret}
          readOnly
          onFocus={({ currentTarget }) => currentTarget.select()}
        />
      </div>
      {children}
      <Group justify="flex-end" gap="xs">
        <Button
          variant="default"
          // The button that had the focus is gone.
          autoFocus
          onClick={copy}
        >
          Copy
        </Button>
        <Button onClick={onDone}>Done</Button>
      </Group>
    </div>
  );
}
