import { ApiError } from '@assay/client';
import {
  companyDomainSchema,
  type GuessOrder,
  guessedFirstNameSchema,
  guessedLastNameSchema,
  linkedinUrlSchema,
  readLinkedinProfile,
} from '@assay/contract';
import { zodResolver } from '@hookform/resolvers/zod';
import { Button, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Resolver, useForm, useWatch } from 'react-hook-form';
import * as z from 'zod/mini';
import { walletQuery } from '../../../shared/api/wallet-query.ts';
import { snackbar } from '../../../shared/components/snackbar.tsx';
import { reactionTo } from '../../../shared/errors/rejected-call.ts';
import { creditsText } from '../../../shared/format/count-words.ts';
import { isolated } from '../../../shared/format/isolated.ts';
import { useDraft } from '../../../shared/forms/use-draft.ts';
import { useServices } from '../../../shared/services/services-context.tsx';
import { useStartGuess } from '../api/start-guess.ts';
import { gridPaging } from '../grid-paging.ts';
import { fullNameOf } from '../outcomes.ts';
import { guessThread } from '../realtime/use-guess-events.ts';
import classes from './guess-form.module.css';

/** How the person is named: by first and last name, or by the profile address that holds them. */
type Naming = 'name' | 'profile';

interface Fields {
  first_name: string;
  last_name: string;
  linkedin_url: string;
  domain: string;
}
const emptyFields: Fields = { first_name: '', last_name: '', linkedin_url: '', domain: '' };

const schemas = {
  name: z.object({
    first_name: guessedFirstNameSchema,
    last_name: guessedLastNameSchema,
    domain: companyDomainSchema,
  }),
  profile: z.object({ linkedin_url: linkedinUrlSchema, domain: companyDomainSchema }),
};

/** Guesses the address of one person. */
export function GuessForm() {
  const goToTop = gridPaging.useWayToTop('single');
  const startGuess = useStartGuess();
  const [naming, setNaming] = useState<Naming>('name');
  const { register, handleSubmit, getValues, reset, setError, clearErrors, control, formState } =
    useForm<Fields>({
      // Each schema looks at its own fields of the form.
      resolver: zodResolver(schemas[naming]) as unknown as Resolver<Fields>,
      defaultValues: emptyFields,
    });
  useDraft<Fields>('guess', { getValues, reset }, (draft) =>
    setNaming(draft.linkedin_url ? 'profile' : 'name'),
  );
  const { errors } = formState;
  const profile = readLinkedinProfile(useWatch({ control, name: 'linkedin_url' }));

  const guess = handleSubmit(async (order) => {
    const sent = JSON.stringify(getValues());
    await goToTop();
    startGuess.mutate(order as GuessOrder, {
      onSuccess: (started) => {
        // The next person may have been typed meanwhile.
        if (JSON.stringify(getValues()) === sent) reset();
        snackbar.success(`Email guessing started for ${isolated(fullNameOf(started))}.`, guessThread);
      },
      onError: (error) => {
        const field = fieldOf(error, naming);
        if (field) return setError(field, { message: error.message }, { shouldFocus: true });
        const reaction = reactionTo(error);
        if (reaction.kind === 'snackbar') snackbar.error(reaction.message, reaction.cause);
      },
    });
  });
  const changeNaming = () => {
    clearErrors();
    setNaming(naming === 'name' ? 'profile' : 'name');
  };

  return (
    <form onSubmit={guess} noValidate className={classes.root} aria-label="Guess a single email">
      <div className={classes.fields} data-naming={naming}>
        {naming === 'name' ? (
          <>
            <TextInput
              label="First name"
              size="md"
              autoComplete="off"
              error={errors.first_name?.message}
              {...register('first_name')}
            />
            <TextInput
              label="Last name"
              size="md"
              autoComplete="off"
              error={errors.last_name?.message}
              {...register('last_name')}
            />
          </>
        ) : (
          <TextInput
            label="LinkedIn profile"
            size="md"
            type="url"
            placeholder="linkedin.com/in/jane-doe"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            error={errors.linkedin_url?.message}
            {...register('linkedin_url')}
          />
        )}
        <TextInput
          label="Company domain"
          size="md"
          placeholder="acme.com"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          error={errors.domain?.message}
          {...register('domain')}
        />
        <Button
          type="submit"
          size="md"
          className={classes.submit}
          // The call itself begins after the navigation, and a second press would pay for a second guess.
          loading={formState.isSubmitting || startGuess.isPending}
        >
          Guess
        </Button>
      </div>
      <div className={classes.foot}>
        <Hint naming={naming} readName={profile && fullNameOf(profile)} />
        <Button variant="subtle" size="compact-sm" onClick={changeNaming}>
          {naming === 'name' ? 'Use a LinkedIn profile instead' : 'Enter the name instead'}
        </Button>
      </div>
    </form>
  );
}

function Hint({ naming, readName }: { naming: Naming; readName: string | null }) {
  const wallet = useQuery(walletQuery(useServices()));
  return (
    <p className={classes.hint} aria-live="polite">
      {naming === 'profile'
        ? readName
          ? `Read as ${readName}; nothing is fetched. `
          : 'The name is read from the address; nothing is fetched. '
        : null}
      1 credit for a clear answer: found, not found or catch all. Unknown is free.
      {wallet.data ? ` You have ${creditsText(wallet.data.balance)}.` : null}
    </p>
  );
}

/** The field that a refusal is about, under the way of naming that is shown. */
function fieldOf(error: unknown, naming: Naming): keyof Fields | null {
  const field = error instanceof ApiError ? error.meta.field : undefined;
  if (field === 'domain') return 'domain';
  if (field === 'first_name' || field === 'last_name' || field === 'linkedin_url') {
    return naming === 'profile' ? 'linkedin_url' : field === 'last_name' ? 'last_name' : 'first_name';
  }
  return null;
}
