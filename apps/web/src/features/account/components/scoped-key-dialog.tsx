import { type KeyMode, SCOPED_KEYS, type ScopedKey } from '@assay/contract';
import { zodResolver } from '@hookform/resolvers/zod';
import { NativeSelect, Textarea, TextInput } from '@mantine/core';
import { Controller, useForm, useWatch } from 'react-hook-form';
import { FormButtons } from '../../../shared/components/form-buttons.tsx';
import { FormDialog } from '../../../shared/components/form-dialog.tsx';
import { FormErrors } from '../../../shared/components/form-errors.tsx';
import { SecretOnce } from '../../../shared/components/secret-once.tsx';
import { snackbar } from '../../../shared/components/snackbar.tsx';
import { clearOnEdit } from '../../../shared/errors/clear-on-edit.ts';
import { formErrorText } from '../../../shared/errors/form-error-text.ts';
import { isSignInAgain } from '../../../shared/errors/rejected-call.ts';
import { useDraft } from '../../../shared/forms/use-draft.ts';
import { useChangeScopedKey, useCreateScopedKey } from '../api/scoped-keys.ts';
import {
  changesOf,
  emptyKeyForm,
  formOfKey,
  type KeyForm,
  keyFormSchema,
  keyOfForm,
  quickStartKeyForm,
} from '../scoped-key-form.ts';
import classes from './more-keys.module.css';
import { ScopeChoice } from './scope-choice.tsx';

interface ScopedKeyDialogProps {
  isOpen: boolean;
  /** Null when one is to be created. */
  apiKey: ScopedKey | null;
  canGuess: boolean;
  /** Fills in a new key as the guide's quick start needs it. */
  isForQuickStart: boolean;
  /** A new key needs a recent sign-in. What was typed must be kept before this dialog closes. */
  onSignInNeeded: () => void;
  onClose: () => void;
}

export function ScopedKeyDialog({ isOpen, apiKey, ...props }: ScopedKeyDialogProps) {
  return (
    <FormDialog
      isOpen={isOpen}
      onClose={props.onClose}
      title={apiKey ? 'Edit key' : 'Create key'}
      size="32rem"
      // A click beside the dialog must not lose a secret that is shown once.
      closeOnClickOutside={false}
    >
      {apiKey ? <EditForm apiKey={apiKey} {...props} /> : <CreateForm {...props} />}
    </FormDialog>
  );
}

type FormProps = Omit<ScopedKeyDialogProps, 'isOpen' | 'apiKey'>;

function CreateForm({ canGuess, isForQuickStart, onSignInNeeded, onClose }: FormProps) {
  const create = useCreateScopedKey();
  if (create.data) return <SecretOnce label="Your new key" secret={create.data.api_token} onDone={onClose} />;
  return (
    <KeyFields
      defaultValues={isForQuickStart ? quickStartKeyForm : emptyKeyForm}
      draftName="create-key"
      canGuess={canGuess}
      saving={create}
      submitLabel="Create key"
      onSubmit={(form) =>
        create.mutate(keyOfForm(form), { onError: (error) => isSignInAgain(error) && onSignInNeeded() })
      }
      onCancel={onClose}
    />
  );
}

function EditForm({ apiKey, canGuess, onClose }: FormProps & { apiKey: ScopedKey }) {
  const change = useChangeScopedKey(apiKey);
  const onSuccess = () => {
    snackbar.success('Key changed.');
    onClose();
  };
  return (
    <KeyFields
      defaultValues={formOfKey(apiKey)}
      draftName={`edit-key.${apiKey.id}`}
      fixedMode={apiKey.mode}
      canGuess={canGuess || apiKey.scopes.includes('guess')}
      saving={change}
      submitLabel="Save"
      onSubmit={(form) => change.mutate(changesOf(form, apiKey), { onSuccess })}
      onCancel={onClose}
    />
  );
}

interface KeyFieldsProps {
  defaultValues: KeyForm;
  draftName: string;
  /** Of a key that exists, whose mode cannot change. */
  fixedMode?: KeyMode;
  canGuess: boolean;
  saving: { error: Error | null; isPending: boolean; reset: () => void };
  submitLabel: string;
  onSubmit: (form: KeyForm) => void;
  onCancel: () => void;
}

const modes: { value: KeyMode; label: string }[] = [
  { value: 'live', label: 'Live, costs credits' },
  { value: 'test', label: 'Test, free, .test only' },
];

function KeyFields({
  defaultValues,
  draftName,
  fixedMode,
  canGuess,
  saving,
  submitLabel,
  onSubmit,
  onCancel,
}: KeyFieldsProps) {
  const { register, handleSubmit, getValues, reset, control, formState } = useForm({
    resolver: zodResolver(keyFormSchema),
    mode: 'onChange',
    defaultValues,
  });
  useDraft(draftName, { getValues, reset });
  const mode = useWatch({ control, name: 'mode' });
  const { errors } = formState;
  return (
    <form
      onSubmit={handleSubmit(onSubmit)}
      onChange={clearOnEdit(saving)}
      noValidate
      className={classes.form}
    >
      <TextInput
        label="Name"
        placeholder="Web shop"
        autoComplete="off"
        data-autofocus
        maxLength={SCOPED_KEYS.nameLengthMax}
        error={errors.name?.message}
        {...register('name')}
      />
      {fixedMode ? null : <NativeSelect label="Mode" data={modes} {...register('mode')} />}
      <Controller
        control={control}
        name="scopes"
        render={({ field }) => (
          <ScopeChoice value={field.value} onChange={field.onChange} mode={mode} canGuess={canGuess} />
        )}
      />
      {mode === 'live' ? (
        <TextInput
          label="Monthly credit limit"
          description="Held and charged credits of a calendar month (UTC). Empty for no limit."
          inputMode="numeric"
          autoComplete="off"
          error={errors.limit?.message}
          {...register('limit')}
        />
      ) : null}
      <Textarea
        label="Allowed networks"
        description="One IP address or network per line. Leave empty for everywhere."
        placeholder="203.0.113.0/24"
        autosize
        minRows={2}
        maxRows={6}
        error={errors.networks?.message}
        {...register('networks')}
      />
      <TextInput
        type="date"
        label="Last day"
        description="The key works until the end of this day. Leave empty for no end."
        error={errors.lastDay?.message}
        {...register('lastDay')}
      />
      <FormErrors text={formErrorText(saving.error)} />
      <FormButtons submitLabel={submitLabel} isBusy={saving.isPending} onCancel={onCancel} />
    </form>
  );
}
