import { LIST_NAME_LENGTH, listNameSchema } from '@assay/contract';
import { TextInput } from '@mantine/core';

interface ListNameFieldProps {
  /** The name by the file. */
  suggested: string;
  /** Undefined until the customer changes it. */
  name: string | undefined;
  onChange: (name: string) => void;
}

/** The name of the list, to be changed before it is paid. */
export const ListNameField = ({ suggested, name, onChange }: ListNameFieldProps) => (
  <TextInput
    label="List name"
    size="sm"
    maxLength={LIST_NAME_LENGTH.max + 20}
    value={name ?? suggested}
    error={nameProblem(name)}
    onChange={({ currentTarget }) => onChange(currentTarget.value)}
  />
);

/** What is wrong with a name that the customer has written; null if nothing is. */
export function nameProblem(name: string | undefined): string | null {
  if (name === undefined) return null;
  const { error } = listNameSchema.safeParse(name);
  return error?.issues[0]?.message ?? null;
}
