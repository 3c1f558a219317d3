import { SUPPRESSION_LIMITS, SUPPRESSION_REASONS, type SuppressionReason } from '@assay/contract';
import { NativeSelect, Stack, Textarea, TextInput } from '@mantine/core';
import { useForm } from 'react-hook-form';
import { FormButtons } from '../../shared/components/form-buttons.tsx';
import { FormDialog } from '../../shared/components/form-dialog.tsx';
import { FormErrors } from '../../shared/components/form-errors.tsx';
import { clearOnEdit } from '../../shared/errors/clear-on-edit.ts';
import { formErrorText } from '../../shared/errors/form-error-text.ts';
import { useDraft } from '../../shared/forms/use-draft.ts';
import { useAddSuppressions } from './api/suppressions.ts';
import { reasonLabels, splitTargets } from './suppression-words.ts';

interface AddDialogProps {
  isOpen: boolean;
  onClose: () => void;
}

export function AddDialog({ isOpen, onClose }: AddDialogProps) {
  return (
    <FormDialog isOpen={isOpen} onClose={onClose} title="Suppress addresses or domains" size="28rem">
      <AddForm onClose={onClose} />
    </FormDialog>
  );
}

interface AddFields {
  targets: string;
  reason: SuppressionReason;
  /** A day such as 2027-01-31; empty for no end. */
  end: string;
}

const nothing: AddFields = { targets: '', reason: 'added', end: '' };

function checkTargets(text: string): string | true {
  const count = splitTargets(text).length;
  if (count === 0) return 'Enter an address or a domain';
  if (count > SUPPRESSION_LIMITS.entriesPerCall) return 'Enter at most 1,000, or import a CSV file';
  return true;
}

function AddForm({ onClose }: Omit<AddDialogProps, 'isOpen'>) {
  const add = useAddSuppressions();
  const { register, handleSubmit, getValues, reset, formState } = useForm({
    mode: 'onChange',
    defaultValues: nothing,
  });
  useDraft('suppressions', { getValues, reset });
  const save = handleSubmit(({ targets, reason, end }) =>
    add.mutate(
      {
        targets: splitTargets(targets),
        reason,
        end_date: end === '' ? null : new Date(`${end}T00:00:00`).toISOString(),
      },
      { onSuccess: onClose },
    ),
  );
  return (
    <form onSubmit={save} onChange={clearOnEdit(add)} noValidate>
      <Stack gap="md">
        <Textarea
          label="Addresses or domains"
          description="One on a line. A domain means all of its addresses, and none of its subdomains."
          placeholder={'jane@example.com\nexample.org'}
          rows={6}
          data-autofocus
          error={formState.errors.targets?.message}
          {...register('targets', { validate: checkTargets })}
        />
        <NativeSelect
          label="Reason"
          data={SUPPRESSION_REASONS.map((reason) => ({ value: reason, label: reasonLabels[reason] }))}
          {...register('reason')}
        />
        <TextInput
          type="date"
          label="Ends on"
          description="From this day on they are asked again. Leave it empty for no end."
          {...register('end')}
        />
        <FormErrors text={formErrorText(add.error)} />
        <FormButtons submitLabel="Suppress" isBusy={add.isPending} onCancel={onClose} />
      </Stack>
    </form>
  );
}
