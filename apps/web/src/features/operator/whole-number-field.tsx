import { TextInput } from '@mantine/core';

interface WholeNumberFieldProps {
  label: string;
  description?: string;
  /** As typed, with or without commas. */
  value: string;
  isFirst?: boolean;
  onChange: (value: string) => void;
}

const lengthMax = 15;

/** A field for a count. It takes what people paste, and `readWhole` says whether that is a number. */
export function WholeNumberField({
  label,
  description,
  value,
  isFirst = false,
  onChange,
}: WholeNumberFieldProps) {
  return (
    <TextInput
      label={label}
      description={description}
      value={value}
      inputMode="numeric"
      autoComplete="off"
      maxLength={lengthMax}
      data-autofocus={isFirst || undefined}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}
