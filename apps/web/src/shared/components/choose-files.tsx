import { FileButton, type FileButtonProps } from '@mantine/core';
import { useRef } from 'react';

interface ChooseFilesProps {
  /** Whether several can be chosen at once. */
  multiple: boolean;
  /** Of the field, which only tests and assistive technology see. */
  label: string;
  accept: string;
  onChoose: (files: File[]) => void;
  children: FileButtonProps['children'];
}

/** A button that opens the browser's dialog for files. */
export function ChooseFiles({ multiple, label, accept, onChoose, children }: ChooseFilesProps) {
  const forget = useRef<() => void>(null);
  return (
    <FileButton
      multiple={multiple}
      accept={accept}
      inputProps={{ 'aria-label': label }}
      resetRef={forget}
      onChange={(chosen) => {
        onChoose([chosen].flat().filter((file) => file !== null));
        // Browsers say nothing when a file is chosen that the field has already, such as one that was corrected meanwhile.
        forget.current?.();
      }}
    >
      {children}
    </FileButton>
  );
}
