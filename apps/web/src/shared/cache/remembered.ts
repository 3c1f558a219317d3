import type { User, Wallet } from '@assay/contract';
import type { LocalCache } from './local-cache.ts';

/** The answers that are worth keeping. */
interface Answers {
  readonly user: User;
  readonly wallet: Wallet;
}

/**
 * The server's last answers about the signed-in person, so that the shell can render before the network answers. They are
 * stored per identity: the next person who signs in on this browser never sees them.
 */
export interface Remembered {
  keep<Name extends keyof Answers>(name: Name, answer: Answers[Name]): Answers[Name];
  recall<Name extends keyof Answers>(name: Name): Answers[Name] | undefined;
  forget(): void;
}

interface Kept {
  readonly build: string;
  readonly answers: Partial<Answers>;
}

interface RememberedOptions {
  readonly cache: LocalCache;
  readonly subject: () => string | undefined;
  /** Names this build. What another build kept may have another shape, so it counts as nothing. */
  readonly build: string;
}

export function createRemembered({ cache, subject, build }: RememberedOptions): Remembered {
  const keyOf = () => `remembered.${subject() ?? ''}`;
  const answers = (): Partial<Answers> => {
    const kept =
      subject() === undefined ? undefined : (cache.get(keyOf()) as Partial<Kept> | null | undefined);
    return (kept?.build === build && kept.answers) || {};
  };

  return {
    keep(name, answer) {
      const kept: Kept = { build, answers: { ...answers(), [name]: answer } };
      if (subject() !== undefined) cache.set(keyOf(), kept);
      return answer;
    },
    recall: (name) => answers()[name],
    forget: () => cache.delete(keyOf()),
  };
}
