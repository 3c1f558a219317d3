import { useState } from 'react';
import { copyToClipboard } from '../../../shared/components/copy-to-clipboard.ts';
import { isSignInAgain } from '../../../shared/errors/rejected-call.ts';
import { useShortReveal } from './use-short-reveal.ts';

interface SecretOptions {
  /** What it is called when it cannot be copied. */
  name: 'key' | 'secret';
  /** Asks the server for the whole of it, which it tells only shortly after a sign-in. */
  load: () => Promise<string>;
}

/** A secret that is fetched when it is asked for, shown for a moment, and copied without being seen. */
export function useSecret({ name, load }: SecretOptions) {
  const { shown, reveal, hide } = useShortReveal();
  const [isLoading, setIsLoading] = useState(false);
  const [mustSignIn, setMustSignIn] = useState(false);

  async function loaded(use: (secret: Promise<string>) => Promise<void>): Promise<void> {
    setIsLoading(true);
    try {
      await use(load());
    } catch (error) {
      // The call itself reports any other failure.
      if (isSignInAgain(error)) setMustSignIn(true);
    } finally {
      setIsLoading(false);
    }
  }

  return {
    shown,
    hide,
    isLoading,
    mustSignIn,
    dismissSignIn: () => setMustSignIn(false),
    reveal: () => void loaded(async (secret) => reveal(await secret)),
    copy: () => void loaded((secret) => copyToClipboard(secret, `Reveal the ${name} and copy it yourself.`)),
  };
}
