import { BadRequestError } from '@assay/client';
import { Button, TextInput } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { type ClipboardEvent, type FormEvent, useId, useRef, useState } from 'react';
import { walletQuery } from '../../../shared/api/wallet-query.ts';
import { snackbar } from '../../../shared/components/snackbar.tsx';
import { reactionTo } from '../../../shared/errors/rejected-call.ts';
import { creditsText } from '../../../shared/format/count-words.ts';
import { formatCredits } from '../../../shared/format/counts.ts';
import { useDraft } from '../../../shared/forms/use-draft.ts';
import { useServices } from '../../../shared/services/services-context.tsx';
import { shortcutTarget } from '../../../shared/shortcuts/shortcuts.ts';
import { useStartSingle } from '../api/start-single.ts';
import { gridPaging } from '../grid-paging.ts';
import { EMAIL_NOT_VALID_TEXT, readEmailAddress } from './email-address.ts';
import type { StartedCheck } from './latest-result.tsx';
import { countAddresses } from './pasted-addresses.ts';
import classes from './single-email-form.module.css';
import { tellStarted } from './single-messages.ts';

interface SingleEmailFormProps {
  onNoCredits: () => void;
  /** First with the address alone, and with the whole check once the server has answered. */
  onStarted: (check: StartedCheck) => void;
  onFailed: () => void;
  /** The customer wants several pasted addresses verified as a list. */
  onSeveralPasted: (text: string) => void;
}

/**
 * Verifies one address. Without credits it offers a call from sales instead. It does not use react-hook-form, which would
 * slow down the first page.
 */
export function SingleEmailForm({ onNoCredits, onStarted, onFailed, onSeveralPasted }: SingleEmailFormProps) {
  const [text, setText] = useState('');
  /** The address was refused, here or by the server, and none was started since. */
  const [wasRefused, setWasRefused] = useState(false);
  const [refusedByServer, setRefusedByServer] = useState<string>();
  const [pasted, setPasted] = useState('');
  const field = useRef<HTMLInputElement>(null);
  const goToTop = gridPaging.useWayToTop('single');
  const wallet = useQuery(walletQuery(useServices()));
  const startSingle = useStartSingle();
  /** From the first press on: the call itself begins later, and a second press would pay for a second check. */
  const [isStarting, setIsStarting] = useState(false);
  useDraft('single-email', { getValues: () => ({ email: text }), reset: ({ email }) => setText(email) });
  // On a phone the placeholder needs the room.
  const isNarrow = useMediaQuery('(width < 440px)', undefined, { getInitialValueInEffect: false });
  const hintId = useId();
  const balance = wallet.data?.balance;

  const isRefused = wasRefused && (readEmailAddress(text) === undefined || text.trim() === refusedByServer);

  const verify = async (email: string) => {
    setIsStarting(true);
    onStarted({ email_address: email });
    const sent = text;
    await goToTop();
    startSingle.mutate(email, {
      onSettled: () => setIsStarting(false),
      onSuccess: (single) => {
        // The next address may have been typed meanwhile.
        setText((typed) => (typed === sent ? '' : typed));
        setWasRefused(false);
        onStarted(single);
        tellStarted(single.email_address);
      },
      onError: (error) => {
        onFailed();
        // The server's objection is shown where the pattern's own message would be.
        const isAddressRefused = error instanceof BadRequestError && error.code === 'email_not_valid';
        if (isAddressRefused) {
          setWasRefused(true);
          return setRefusedByServer(email);
        }
        const reaction = reactionTo(error);
        if (reaction.kind === 'snackbar') snackbar.error(reaction.message, reaction.cause);
      },
    });
  };

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isStarting) return;
    if (balance === 0) return onNoCredits();
    const email = readEmailAddress(text);
    if (email !== undefined) return void verify(email);
    setWasRefused(true);
    field.current?.focus();
  };

  const change = (typed: string) => {
    setText(typed);
    setPasted('');
  };

  /** The field holds one address. Several are kept aside, and offered as a list. */
  const paste = (event: ClipboardEvent) => {
    const clipboardText = event.clipboardData.getData('text');
    const hasSeveral = countAddresses(clipboardText) > 1;
    if (hasSeveral) event.preventDefault();
    setPasted(hasSeveral ? clipboardText : '');
  };

  return (
    <form onSubmit={submit} noValidate className={classes.root} aria-label="Verify a single email">
      <TextInput
        classNames={{ section: classes.section }}
        size="md"
        // Not of type email: browsers turn the domain of such a field into A-labels, and show that.
        type="text"
        inputMode="email"
        placeholder="Verify a single email"
        aria-label="Verify a single email"
        aria-describedby={hintId}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        ref={field}
        name="email"
        value={text}
        error={isRefused && EMAIL_NOT_VALID_TEXT}
        {...(balance !== undefined && !isNarrow && balanceSection(balance))}
        {...shortcutTarget('v')}
        onChange={(event) => change(event.currentTarget.value)}
        onPaste={paste}
      />
      <Button type="submit" size="md" loading={isStarting}>
        Verify
      </Button>
      <p id={hintId} className={classes.hint}>
        1 credit per email, none if the result is unknown.
        {balance !== undefined && isNarrow ? <span>{creditsText(balance)}</span> : null}
      </p>
      <div className={classes.several} role="status">
        {pasted === '' ? null : (
          <>
            <span>You pasted {formatCredits(countAddresses(pasted))} emails.</span>
            <Button
              variant="default"
              onClick={() => {
                onSeveralPasted(pasted);
                setPasted('');
              }}
            >
              Verify them as a list
            </Button>
          </>
        )}
      </div>
    </form>
  );
}

/** The end of the field, as wide as its words, so that a long address stops before it. */
function balanceSection(credits: number) {
  const text = creditsText(credits);
  return {
    rightSection: <span className={classes.balance}>{text}</span>,
    rightSectionWidth: `calc(${text.length}ch + 1.25rem)`,
  };
}
