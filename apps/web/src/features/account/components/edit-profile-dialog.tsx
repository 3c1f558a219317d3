import { firstNameSchema, lastNameSchema, type User } from '@assay/contract';
import { phoneSchema, readablePhone } from '@assay/contract/phone';
import { zodResolver } from '@hookform/resolvers/zod';
import { NativeSelect, TextInput } from '@mantine/core';
import { type CountryCode, isSupportedCountry } from 'libphonenumber-js/min';
import { useState } from 'react';
import { useForm, useWatch } from 'react-hook-form';
import * as z from 'zod/mini';
import { FormButtons } from '../../../shared/components/form-buttons.tsx';
import { FormDialog } from '../../../shared/components/form-dialog.tsx';
import { FormErrors } from '../../../shared/components/form-errors.tsx';
import { clearOnEdit } from '../../../shared/errors/clear-on-edit.ts';
import { formErrorText } from '../../../shared/errors/form-error-text.ts';
import { useDraft } from '../../../shared/forms/use-draft.ts';
import { useUpdateProfile } from '../api/update-profile.ts';
import { countryOf, countryOptions, moveToCountry } from '../phone/countries.ts';
import classes from './edit-profile-dialog.module.css';

interface EditProfileDialogProps {
  isOpen: boolean;
  user: User;
  onClose: () => void;
}

export function EditProfileDialog({ isOpen, user, onClose }: EditProfileDialogProps) {
  return (
    <FormDialog isOpen={isOpen} onClose={onClose} title="Edit personal info" size="28rem">
      <ProfileForm user={user} onClose={onClose} />
    </FormDialog>
  );
}

const formSchema = z.object({ first_name: firstNameSchema, last_name: lastNameSchema, phone: phoneSchema });

function ProfileForm({ user, onClose }: { user: User; onClose: () => void }) {
  const updateProfile = useUpdateProfile();
  const { register, handleSubmit, getValues, reset, setValue, control, formState } = useForm({
    resolver: zodResolver(formSchema),
    mode: 'onChange',
    defaultValues: {
      first_name: user.first_name,
      last_name: user.last_name,
      phone: readablePhone(user.phone ?? ''),
    },
  });
  useDraft('profile', { getValues, reset });
  const [chosenCountry, setChosenCountry] = useState<CountryCode | ''>('');
  const phone = useWatch({ control, name: 'phone' });
  const registerTrimmed = (name: 'first_name' | 'last_name' | 'phone') =>
    register(name, { onBlur: ({ target }) => setValue(name, target.value.trim()) });

  const chooseCountry = (country: string) => {
    if (!isSupportedCountry(country)) return;
    setChosenCountry(country);
    // The digits are still to come: nothing is wrong with them yet.
    setValue('phone', moveToCountry(phone, country), { shouldValidate: formState.isSubmitted });
  };
  const save = handleSubmit((changes) => updateProfile.mutate(changes, { onSuccess: onClose }));

  return (
    <form onSubmit={save} onChange={clearOnEdit(updateProfile)} noValidate className={classes.form}>
      <TextInput
        label="First name"
        autoComplete="given-name"
        data-autofocus
        error={formState.errors.first_name?.message}
        {...registerTrimmed('first_name')}
      />
      <TextInput
        label="Last name"
        autoComplete="family-name"
        error={formState.errors.last_name?.message}
        {...registerTrimmed('last_name')}
      />
      <NativeSelect
        label="Country"
        value={countryOf(phone, chosenCountry)}
        data={[{ value: '', label: 'Choose, or type the code below' }, ...countryOptions]}
        onChange={(event) => chooseCountry(event.currentTarget.value)}
      />
      <TextInput
        type="tel"
        label="Phone"
        placeholder="+34 600 123 456"
        autoComplete="tel"
        error={formState.errors.phone?.message}
        {...registerTrimmed('phone')}
      />
      <FormErrors text={formErrorText(updateProfile.error)} />
      <FormButtons submitLabel="Save" isBusy={updateProfile.isPending} onCancel={onClose} />
    </form>
  );
}
