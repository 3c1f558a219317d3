import { Button, Group } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import { LineSkeleton } from '../../../shared/components/async-slot.tsx';
import { type Resumable, useResumed } from '../resume.ts';
import parts from './section-parts.module.css';
import { SignInAgainDialog } from './sign-in-again-dialog.tsx';
import { useSecret } from './use-secret.ts';

interface SecretValueProps {
  /** How every secret of the kind begins: that much may be seen. */
  prefix: string;
  /** Its last four characters, by which its owner recognises it. */
  ending: string;
  name: 'key' | 'secret';
  resume: Resumable;
  aside: string;
  load: () => Promise<string>;
  /** What else can be done with it: more buttons. */
  children: ReactNode;
}

/** A secret that is hidden until it is asked for, and copied without being seen. */
export function SecretValue({ prefix, ending, name, resume, aside, load, children }: SecretValueProps) {
  const { shown, hide, isLoading, mustSignIn, dismissSignIn, reveal, copy } = useSecret({ name, load });
  const place = useRef<HTMLElement>(null);
  const isResumed = useResumed(resume);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, after the trip to sign in again
  useEffect(() => {
    if (!isResumed) return;
    place.current?.scrollIntoView({ block: 'center' });
    reveal();
  }, [isResumed]);
  return (
    <>
      <code ref={place} className={parts.value} aria-live="polite">
        {shown ?? `${prefix}${'•'.repeat(12)}${ending}`}
      </code>
      <div className={parts.row}>
        <p className={parts.aside}>{aside}</p>
        <Group gap="xs">
          <Button variant="default" disabled={isLoading} onClick={shown === undefined ? reveal : hide}>
            {shown === undefined ? 'Reveal' : 'Hide'}
          </Button>
          <Button variant="default" disabled={isLoading} onClick={copy}>
            Copy
          </Button>
          {children}
        </Group>
      </div>
      <SignInAgainDialog isOpen={mustSignIn} resume={resume} onCancel={dismissSignIn} />
    </>
  );
}

/** As high as a secret with its buttons. */
export const SecretSkeleton = () => (
  <>
    <code className={parts.value}>
      <LineSkeleton width="16rem" />
    </code>
    <div className={parts.row}>
      <LineSkeleton width="14rem" />
      <Group gap="xs">
        <Button variant="default">Reveal</Button>
        <Button variant="default">Copy</Button>
      </Group>
    </div>
  </>
);
