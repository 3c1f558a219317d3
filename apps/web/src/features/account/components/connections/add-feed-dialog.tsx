import { FEED_SECRET_OF, FEED_SENDERS, type FeedSender } from '@assay/contract';
import { NativeSelect, TextInput } from '@mantine/core';
import { useState } from 'react';
import { FormButtons } from '../../../../shared/components/form-buttons.tsx';
import { FormDialog } from '../../../../shared/components/form-dialog.tsx';
import { FormErrors } from '../../../../shared/components/form-errors.tsx';
import { clearOnEdit } from '../../../../shared/errors/clear-on-edit.ts';
import { formErrorText } from '../../../../shared/errors/form-error-text.ts';
import { useCreateFeed } from '../../api/feeds.ts';
import classes from './connections.module.css';
import { FeedSecret } from './feed-secret.tsx';

interface AddFeedDialogProps {
  isOpen: boolean;
  onClose: () => void;
}

export function AddFeedDialog({ isOpen, onClose }: AddFeedDialogProps) {
  return (
    <FormDialog isOpen={isOpen} onClose={onClose} title="Add feed" size="32rem" closeOnClickOutside={false}>
      <AddFeedForm onClose={onClose} />
    </FormDialog>
  );
}

const senders = (Object.keys(FEED_SENDERS) as FeedSender[]).map((sender) => ({
  value: sender,
  label: FEED_SENDERS[sender],
}));

function AddFeedForm({ onClose }: Pick<AddFeedDialogProps, 'onClose'>) {
  const [sender, setSender] = useState<FeedSender>('sendgrid');
  const [topic, setTopic] = useState('');
  const createFeed = useCreateFeed();
  const { data: created } = createFeed;
  if (created && FEED_SECRET_OF[created.sender] === 'ours') {
    return <FeedSecret feed={created} onDone={onClose} />;
  }
  return (
    <form
      className={classes.form}
      noValidate
      onChange={clearOnEdit(createFeed)}
      onSubmit={(event) => {
        event.preventDefault();
        createFeed.mutate(
          { sender, ...(sender === 'ses' && { topic_arn: topic }) },
          { onSuccess: (feed) => FEED_SECRET_OF[feed.sender] === 'sender' && onClose() },
        );
      }}
    >
      <NativeSelect
        label="Sender"
        data-autofocus
        value={sender}
        data={senders}
        onChange={({ currentTarget }) => setSender(currentTarget.value as FeedSender)}
      />
      {sender === 'ses' ? (
        <TextInput
          label="ARN of the SNS topic"
          description="Only messages of this topic count."
          placeholder="arn:aws:sns:eu-west-1:123456789012:bounces"
          autoComplete="off"
          value={topic}
          onChange={({ currentTarget }) => setTopic(currentTarget.value)}
        />
      ) : null}
      <p className={classes.text}>
        {FEED_SECRET_OF[sender] === 'ours'
          ? 'You get an address and a secret for your sender.'
          : 'You get an address for your sender, and add its key here afterwards.'}
      </p>
      <FormErrors text={formErrorText(createFeed.error)} />
      <FormButtons submitLabel="Add feed" isBusy={createFeed.isPending} onCancel={onClose} />
    </form>
  );
}
