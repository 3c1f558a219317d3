import { FEED_USER, type Feed } from '@assay/contract';
import { Button, Group, TextInput } from '@mantine/core';
import { copyToClipboard } from '../../../shared/components/copy-to-clipboard.ts';
import { useKeepDialogOpen } from '../../../shared/components/form-dialog.tsx';
import { feedSteps, urlWithSecret } from '../feed-steps.ts';
import feedClasses from './feed-item.module.css';
import classes from './webhook-section.module.css';

/** A secret of ours, which is shown once, with what to do with it. Only 'Done' closes the dialog. */
export function FeedSecret({ feed, onDone }: { feed: Feed; onDone: () => void }) {
  useKeepDialogOpen(true);
  const isSes = feed.sender === 'ses';
  const secret = isSes ? urlWithSecret(feed.url, feed.secret ?? '') : (feed.secret ?? '');
  return (
    <div className={classes.form}>
      <div role="status">
        <TextInput
          label={isSes ? 'Endpoint with the secret' : 'Secret'}
          description="Copy it now: we show it only once."
          value={secret}
          readOnly
          onFocus={({ currentTarget }) => currentTarget.select()}
        />
      </div>
      {isSes ? null : (
        <>
          <TextInput label="Address" value={feed.url} readOnly />
          <TextInput label="User name" value={FEED_USER} readOnly />
        </>
      )}
      <ol className={feedClasses.steps}>
        {feedSteps[feed.sender].steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      <Group justify="flex-end" gap="xs">
        <Button
          variant="default"
          // The button that had the focus is gone.
          autoFocus
          onClick={() => void copyToClipboard(Promise.resolve(secret), 'Select it and copy it yourself.')}
        >
          Copy
        </Button>
        <Button onClick={onDone}>Done</Button>
      </Group>
    </div>
  );
}
