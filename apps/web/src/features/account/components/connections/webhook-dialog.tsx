import { WEBHOOK_EVENT_TYPES, type Webhook, webhookUrlSchema } from '@assay/contract';
import { zodResolver } from '@hookform/resolvers/zod';
import { Checkbox, Stack, TextInput } from '@mantine/core';
import { Controller, useForm, useWatch } from 'react-hook-form';
import * as z from 'zod/mini';
import { FormButtons } from '../../../../shared/components/form-buttons.tsx';
import { FormDialog } from '../../../../shared/components/form-dialog.tsx';
import { FormErrors } from '../../../../shared/components/form-errors.tsx';
import { clearOnEdit } from '../../../../shared/errors/clear-on-edit.ts';
import { formErrorText } from '../../../../shared/errors/form-error-text.ts';
import { useDraft } from '../../../../shared/forms/use-draft.ts';
import { useSaveWebhook } from '../../api/webhooks.ts';
import { eventChoices, knownTypes } from '../../webhook-events.ts';
import classes from './connections.module.css';

interface WebhookDialogProps {
  isOpen: boolean;
  /** Null when one is to be added. */
  webhook: Webhook | null;
  onSaved?: (webhook: Webhook) => void;
  onClose: () => void;
}

export function WebhookDialog({ isOpen, ...props }: WebhookDialogProps) {
  const title = props.webhook ? 'Edit webhook' : 'Add webhook';
  return (
    <FormDialog isOpen={isOpen} onClose={props.onClose} title={title} size="28rem">
      <WebhookForm {...props} />
    </FormDialog>
  );
}

const formSchema = z
  .object({ url: webhookUrlSchema, getsAll: z.boolean(), types: z.array(z.enum(WEBHOOK_EVENT_TYPES)) })
  .check(
    z.refine(({ getsAll, types }) => getsAll || types.length > 0, {
      error: 'Choose at least one type of event',
      path: ['types'],
    }),
  );
type WebhookFields = z.output<typeof formSchema>;

/** All types are chosen at first when a person turns 'All events' off. */
const fieldsOf = (webhook: Webhook | null): WebhookFields => ({
  url: webhook?.url ?? '',
  getsAll: !webhook?.event_types,
  types: knownTypes(webhook?.event_types ?? WEBHOOK_EVENT_TYPES),
});

function WebhookForm({ webhook, onSaved, onClose }: Omit<WebhookDialogProps, 'isOpen'>) {
  const saveWebhook = useSaveWebhook(webhook);
  const { register, handleSubmit, getValues, reset, control, formState } = useForm({
    resolver: zodResolver(formSchema),
    mode: 'onChange',
    defaultValues: fieldsOf(webhook),
  });
  useDraft(webhook ? `webhook.${webhook.id}` : 'webhook', { getValues, reset });
  const getsAll = useWatch({ control, name: 'getsAll' });
  const save = handleSubmit(({ url, getsAll, types }) =>
    saveWebhook.mutate(
      { url, event_types: getsAll ? null : types },
      {
        onSuccess: (saved) => {
          onSaved?.(saved);
          onClose();
        },
      },
    ),
  );
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
      <Checkbox label="All events" description="Also types that we add later" {...register('getsAll')} />
      {getsAll ? null : (
        <Controller
          control={control}
          name="types"
          render={({ field }) => (
            <Checkbox.Group
              label="Events"
              description="Events that already wait are still sent."
              value={field.value}
              onChange={field.onChange}
              error={formState.errors.types?.message}
            >
              <Stack gap="xs" mt="xs">
                {WEBHOOK_EVENT_TYPES.map((type) => (
                  <Checkbox
                    key={type}
                    value={type}
                    label={eventChoices[type].name}
                    description={eventChoices[type].sentence}
                  />
                ))}
              </Stack>
            </Checkbox.Group>
          )}
        />
      )}
      <FormErrors text={formErrorText(saveWebhook.error)} />
      <FormButtons
        submitLabel={webhook ? 'Save' : 'Add webhook'}
        isBusy={saveWebhook.isPending}
        onCancel={onClose}
      />
    </form>
  );
}
