import { Button, Group, TextInput } from '@mantine/core';
import { copyToClipboard } from '../../../shared/components/copy-to-clipboard.ts';
import { useKeepDialogOpen } from '../../../shared/components/form-dialog.tsx';
import classes from './more-keys.module.css';

interface NewSecretProps {
  secret: string;
  onDone: () => void;
}

/** A secret that is shown once. Only 'Done' closes its dialog: Escape or a click beside it would lose the secret. */
export function NewSecret({ secret, onDone }: NewSecretProps) {
  useKeepDialogOpen(true);
  const copy = () => void copyToClipboard(Promise.resolve(secret), 'Select the key and copy it yourself.');
  return (
    <div className={classes.form}>
      <div role="status">
        <TextInput
          label="Your new key"
          description="Copy it now and keep it secret: we show it only once."
          value={secret}
          readOnly
          onFocus={({ currentTarget }) => currentTarget.select()}
        />
      </div>
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
