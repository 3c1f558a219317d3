import { type Webhook, webhookUrlSchema } from '@assay/contract';
import { zodResolver } from '@hookform/resolvers/zod';
import { TextInput } from '@mantine/core';
import { useForm } from 'react-hook-form';
import * as z from 'zod/mini';
import { FormButtons } from '../../../shared/components/form-buttons.tsx';
import { FormDialog } from '../../../shared/components/form-dialog.tsx';
import { FormErrors } from '../../../shared/components/form-errors.tsx';
import { clearOnEdit } from '../../../shared/errors/clear-on-edit.ts';
import { formErrorText } from '../../../shared/errors/form-error-text.ts';
import { useDraft } from '../../../shared/forms/use-draft.ts';
import { useSaveWebhook } from '../api/webhooks.ts';
import classes from './webhook-section.module.css';

interface WebhookAddressDialogProps {
  isOpen: boolean;
  /** Null when one is to be added. */
  webhook: Webhook | null;
  onClose: () => void;
}

export function WebhookAddressDialog({ isOpen, webhook, onClose }: WebhookAddressDialogProps) {
  const title = webhook ? 'Change address' : 'Add webhook';
  return (
    <FormDialog isOpen={isOpen} onClose={onClose} title={title} size="28rem">
      <AddressForm webhook={webhook} onClose={onClose} />
    </FormDialog>
  );
}

const formSchema = z.object({ url: webhookUrlSchema });

function AddressForm({ webhook, onClose }: Omit<WebhookAddressDialogProps, 'isOpen'>) {
  const saveWebhook = useSaveWebhook(webhook);
  const { register, handleSubmit, getValues, reset, formState } = useForm({
    resolver: zodResolver(formSchema),
    mode: 'onChange',
    defaultValues: { url: webhook?.url ?? '' },
  });
  useDraft('webhook', { getValues, reset });
  const save = handleSubmit((given) => saveWebhook.mutate(given, { onSuccess: onClose }));
  return (
    <form onSubmit={save} onChange={clearOnEdit(saveWebhook)} noValidate className={classes.form}>
      <TextInput
        type="url"
        label="Address"
        placeholder="https://example.com/hooks/assay"
        autoComplete="off"
        data-autofocus
        error={formState.errors.url?.message}
        {...register('url')}
      />
      <FormErrors text={formErrorText(saveWebhook.error)} />
      <FormButtons
        submitLabel={webhook ? 'Save' : 'Add webhook'}
        isBusy={saveWebhook.isPending}
        onCancel={onClose}
      />
    </form>
  );
}
