import { Button, Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { copyToClipboard } from './copy-to-clipboard.ts';
import parts from './section-parts.module.css';
import { useShortReveal } from './use-short-reveal.ts';

interface SecretValueProps {
  secret: string;
  /** How every secret of the kind begins: that much may be seen. */
  prefix: string;
  /** What it is called when it cannot be copied. */
  name: 'key' | 'secret';
  aside: string;
  /** What else can be done with it: more buttons. */
  children: ReactNode;
}

/** A secret that is hidden until it is asked for, and copied without being seen. */
export function SecretValue({ secret, prefix, name, aside, children }: SecretValueProps) {
  const { isRevealed, reveal, hide } = useShortReveal();
  return (
    <>
      <code className={parts.value} aria-live="polite">
        {isRevealed ? secret : `${prefix}${'•'.repeat(16)}`}
      </code>
      <div className={parts.row}>
        <p className={parts.aside}>{aside}</p>
        <Group gap="xs">
          <Button variant="default" onClick={isRevealed ? hide : reveal}>
            {isRevealed ? 'Hide' : 'Reveal'}
          </Button>
          <Button variant="default" onClick={() => void copyToClipboard(secret, name)}>
            Copy
          </Button>
          {children}
        </Group>
      </div>
    </>
  );
}
