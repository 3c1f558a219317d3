import { FEED_SENDERS, type Feed } from '@assay/contract';
import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { FormButtons } from '../../../../shared/components/form-buttons.tsx';
import { FormDialog } from '../../../../shared/components/form-dialog.tsx';
import { FormErrors } from '../../../../shared/components/form-errors.tsx';
import { clearOnEdit } from '../../../../shared/errors/clear-on-edit.ts';
import { formErrorText } from '../../../../shared/errors/form-error-text.ts';
import { useChangeFeed } from '../../api/feeds.ts';
import { feedSteps } from '../../feed-steps.ts';
import classes from './connections.module.css';

interface FeedDialogProps {
  isOpen: boolean;
  feed: Feed;
  onClose: () => void;
}

export function FeedKeyDialog({ isOpen, feed, onClose }: FeedDialogProps) {
  const name = FEED_SENDERS[feed.sender];
  return (
    <FormDialog isOpen={isOpen} onClose={onClose} title={`Key of ${name}`} size="28rem">
      <FeedChangeForm
        feed={feed}
        label={feedSteps[feed.sender].keyName ?? 'Key'}
        description={
          feed.secret === null
            ? 'It is kept encrypted and not shown again.'
            : 'The key before is good for another day.'
        }
        changeOf={(key) => ({ key })}
        onClose={onClose}
      />
    </FormDialog>
  );
}

export function FeedTopicDialog({ isOpen, feed, onClose }: FeedDialogProps) {
  return (
    <FormDialog isOpen={isOpen} onClose={onClose} title="Change topic" size="28rem">
      <FeedChangeForm
        feed={feed}
        label="ARN of the SNS topic"
        description="Messages of the topic before are refused from now on."
        before={feed.topic_arn ?? ''}
        changeOf={(topic_arn) => ({ topic_arn })}
        onClose={onClose}
      />
    </FormDialog>
  );
}

interface FeedChangeFormProps extends Pick<FeedDialogProps, 'feed' | 'onClose'> {
  label: string;
  description: string;
  before?: string;
  changeOf: (text: string) => { key: string } | { topic_arn: string };
}

function FeedChangeForm({ feed, label, description, before = '', changeOf, onClose }: FeedChangeFormProps) {
  const [text, setText] = useState(before);
  const changeFeed = useChangeFeed(feed);
  return (
    <form
      className={classes.form}
      noValidate
      onChange={clearOnEdit(changeFeed)}
      onSubmit={(event) => {
        event.preventDefault();
        changeFeed.mutate(changeOf(text), { onSuccess: onClose });
      }}
    >
      <TextInput
        label={label}
        description={description}
        autoComplete="off"
        data-autofocus
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
      <FormErrors text={formErrorText(changeFeed.error)} />
      <FormButtons submitLabel="Save" isBusy={changeFeed.isPending} onCancel={onClose} />
    </form>
  );
}
