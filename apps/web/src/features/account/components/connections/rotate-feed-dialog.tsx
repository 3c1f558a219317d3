import type { Feed } from '@assay/contract';
import { FormButtons } from '../../../../shared/components/form-buttons.tsx';
import { FormDialog } from '../../../../shared/components/form-dialog.tsx';
import { FormErrors } from '../../../../shared/components/form-errors.tsx';
import { formErrorText } from '../../../../shared/errors/form-error-text.ts';
import { useRotateFeedSecret } from '../../api/feeds.ts';
import classes from './connections.module.css';
import { FeedSecret } from './feed-secret.tsx';

interface RotateFeedDialogProps {
  isOpen: boolean;
  feed: Feed;
  onClose: () => void;
}

export function RotateFeedDialog({ isOpen, ...props }: RotateFeedDialogProps) {
  return (
    <FormDialog
      isOpen={isOpen}
      onClose={props.onClose}
      title="Replace secret"
      size="32rem"
      closeOnClickOutside={false}
    >
      <RotateForm {...props} />
    </FormDialog>
  );
}

function RotateForm({ feed, onClose }: Omit<RotateFeedDialogProps, 'isOpen'>) {
  const rotate = useRotateFeedSecret(feed);
  if (rotate.data) return <FeedSecret feed={rotate.data} onDone={onClose} />;
  return (
    <form
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault();
        rotate.mutate();
      }}
    >
      <p className={classes.text}>
        The feed gets a new secret. For a day the old one is good too, so that you can change it at your
        sender. A secret that was replaced before stops at once.
      </p>
      <FormErrors text={formErrorText(rotate.error)} />
      <FormButtons submitLabel="Replace secret" isBusy={rotate.isPending} onCancel={onClose} />
    </form>
  );
}
