import { useState } from 'react';

/** A dialog or side panel about one thing, which it still shows while it closes. */
export interface Panel<Subject> {
  readonly isOpen: boolean;
  /** Nothing until it was first opened. */
  readonly subject: Subject | undefined;
  open(subject: Subject): void;
  close(): void;
}

export function usePanel<Subject>(): Panel<Subject> {
  const [subject, setSubject] = useState<Subject>();
  const [isOpen, setIsOpen] = useState(false);
  return {
    isOpen,
    subject,
    open(next) {
      setSubject(next);
      setIsOpen(true);
    },
    close: () => setIsOpen(false),
  };
}
