import { listNameSchema } from '@assay/contract';
import { zodResolver } from '@hookform/resolvers/zod';
import { TextInput } from '@mantine/core';
import { useForm } from 'react-hook-form';
import * as z from 'zod/mini';
import { FormButtons } from '../components/form-buttons.tsx';
import { FormDialog } from '../components/form-dialog.tsx';
import { FormErrors } from '../components/form-errors.tsx';
import { clearOnEdit } from '../errors/clear-on-edit.ts';
import { formErrorText } from '../errors/form-error-text.ts';
import { useDraft } from '../forms/use-draft.ts';
import type { NamedList } from './any-list.ts';
import classes from './rename-list-dialog.module.css';

/** A call that renames a list, as far as the form needs it. */
interface RenameCall {
  readonly error: Error | null;
  readonly isPending: boolean;
  reset(): void;
  mutate(
    order: { readonly list: NamedList; readonly name: string },
    options: { onSuccess: () => void },
  ): void;
}

interface RenameListDialogProps {
  isOpen: boolean;
  list: NamedList | undefined;
  /** Used by the form, so that every opening begins without an earlier one's error. */
  useRename: () => RenameCall;
  onClose: () => void;
}

export function RenameListDialog({ isOpen, list, useRename, onClose }: RenameListDialogProps) {
  return (
    <FormDialog isOpen={isOpen} onClose={onClose} title="Edit list name" size="26rem">
      {list ? <RenameForm list={list} useRename={useRename} onClose={onClose} /> : null}
    </FormDialog>
  );
}

const formSchema = z.object({ name: listNameSchema });

function RenameForm({
  list,
  useRename,
  onClose,
}: Omit<RenameListDialogProps, 'isOpen'> & { list: NamedList }) {
  const rename = useRename();
  const { register, handleSubmit, getValues, reset, formState } = useForm({
    resolver: zodResolver(formSchema),
    mode: 'onChange',
    defaultValues: { name: list.name },
  });
  useDraft(`list-name.${list.id}`, { getValues, reset });
  const save = handleSubmit(({ name }) => rename.mutate({ list, name }, { onSuccess: onClose }));
  return (
    <form onSubmit={save} onChange={clearOnEdit(rename)} noValidate className={classes.form}>
      <TextInput
        label="List name"
        autoComplete="off"
        data-autofocus
        error={formState.errors.name?.message}
        {...register('name')}
      />
      <FormErrors text={formErrorText(rename.error)} />
      <FormButtons submitLabel="Save" isBusy={rename.isPending} onCancel={onClose} />
    </form>
  );
}
