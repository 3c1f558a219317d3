import { listNameSchema, type ValidationList } from '@assay/contract';
import { zodResolver } from '@hookform/resolvers/zod';
import { Button, Group, Modal, TextInput } from '@mantine/core';
import { useForm } from 'react-hook-form';
import * as z from 'zod/mini';
import { FormErrors } from '../../../shared/components/form-errors.tsx';
import { formErrorText } from '../../../shared/errors/form-error-text.ts';
import { useRenameList } from '../api/rename-list.ts';
import classes from './rename-list-dialog.module.css';

type NamedList = Pick<ValidationList, 'id' | 'name'>;

interface RenameListDialogProps {
  isOpen: boolean;
  list: NamedList | undefined;
  onClose: () => void;
}

export function RenameListDialog({ isOpen, list, onClose }: RenameListDialogProps) {
  return (
    <Modal opened={isOpen} onClose={onClose} title="Edit list name" size="26rem" withCloseButton={false}>
      {list ? <RenameForm list={list} onClose={onClose} /> : null}
    </Modal>
  );
}

const formSchema = z.object({ name: listNameSchema });

function RenameForm({ list, onClose }: { list: NamedList; onClose: () => void }) {
  const rename = useRenameList();
  const { register, handleSubmit, formState } = useForm({
    resolver: zodResolver(formSchema),
    mode: 'onChange',
    defaultValues: { name: list.name },
  });
  const save = handleSubmit(({ name }) => rename.mutate({ list, name }, { onSuccess: onClose }));
  return (
    <form onSubmit={save} noValidate className={classes.form}>
      <TextInput
        label="List name"
        autoComplete="off"
        data-autofocus
        error={formState.errors.name?.message}
        {...register('name')}
      />
      <FormErrors text={formErrorText(rename.error)} />
      <Group justify="flex-end" gap="xs">
        <Button variant="subtle" onClick={onClose} disabled={rename.isPending}>
          Cancel
        </Button>
        <Button type="submit" loading={rename.isPending}>
          Save
        </Button>
      </Group>
    </form>
  );
}
