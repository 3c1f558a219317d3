import { Button, Group, TextInput } from '@mantine/core';
import { copyToClipboard } from '../../../shared/components/copy-to-clipboard.ts';
import classes from './more-keys.module.css';

interface NewSecretProps {
  secret: string;
  onDone: () => void;
}

/** A secret that is shown once. */
export function NewSecret({ secret, onDone }: NewSecretProps) {
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
        <Button variant="default" data-autofocus onClick={copy}>
          Copy
        </Button>
        <Button onClick={onDone}>Done</Button>
      </Group>
    </div>
  );
}
