import { isPhoneMissing, type User } from '@assay/contract';
import { phoneSchema } from '@assay/contract/phone';
import { zodResolver } from '@hookform/resolvers/zod';
import { Button, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useForm, useWatch } from 'react-hook-form';
import * as z from 'zod/mini';
import { userQuery } from '../api/user-query.ts';
import { AsyncSlot, Skeleton } from '../components/async-slot.tsx';
import { asyncStateOf } from '../components/async-state.ts';
import { FormButtons } from '../components/form-buttons.tsx';
import { FormDialog } from '../components/form-dialog.tsx';
import { useDraft } from '../forms/use-draft.ts';
import { useServices } from '../services/services-context.tsx';
import { useRequestCall } from './open-support-case.ts';
import classes from './request-call-dialog.module.css';

interface RequestCallDialogProps {
  isOpen: boolean;
  onClose: () => void;
  /** Offers credits as well, for a customer who has none. */
  onBuyCredits?: () => void;
}

export function RequestCallDialog({ isOpen, onClose, onBuyCredits }: RequestCallDialogProps) {
  const user = useQuery(userQuery(useServices()));
  return (
    <FormDialog isOpen={isOpen} onClose={onClose} title="Request a call" size="28rem">
      <p className={classes.text}>
        An account executive will reach out to you by phone to discuss a plan tailored to your needs.
      </p>
      <AsyncSlot
        state={asyncStateOf(user)}
        name="phone number"
        onRetry={() => void user.refetch()}
        skeleton={<Skeleton height="4rem" />}
      >
        {({ phone }) => <CallForm knownPhone={phone} onClose={onClose} />}
      </AsyncSlot>
      {onBuyCredits ? (
        <div className={classes.buy}>
          <p>You have no credits left. You can also buy some now.</p>
          <Button variant="default" onClick={onBuyCredits}>
            Buy credits
          </Button>
        </div>
      ) : null}
    </FormDialog>
  );
}

const formSchema = z.object({ phone: phoneSchema });

function CallForm({ knownPhone, onClose }: { knownPhone: User['phone']; onClose: () => void }) {
  const requestCall = useRequestCall();
  const isKnown = knownPhone !== null && !isPhoneMissing(knownPhone);
  const { register, handleSubmit, getValues, reset, control, formState } = useForm({
    // A number that we hold already is not judged again.
    ...(isKnown ? {} : { resolver: zodResolver(formSchema) }),
    mode: 'onChange',
    defaultValues: { phone: knownPhone ?? '' },
  });
  useDraft('call', { getValues, reset });
  const phone = useWatch({ control, name: 'phone' });
  const submit = handleSubmit((form) =>
    requestCall.mutate({ phone: form.phone, isTyped: !isKnown }, { onSuccess: onClose }),
  );
  return (
    <form onSubmit={submit} noValidate className={classes.form}>
      <TextInput
        type="tel"
        label="Phone"
        placeholder="+34 600 123 456"
        autoComplete="tel"
        readOnly={isKnown}
        data-autofocus={isKnown ? undefined : true}
        error={formState.errors.phone?.message}
        {...register('phone')}
      />
      <FormButtons
        submitLabel="Submit"
        isBusy={requestCall.isPending}
        isIncomplete={isPhoneMissing(phone)}
        onCancel={onClose}
      />
    </form>
  );
}
