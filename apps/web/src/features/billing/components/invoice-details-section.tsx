import {
  INVOICE_DETAIL_LENGTHS,
  type InvoiceDetails,
  NO_INVOICE_DETAILS,
  taxNumberKindOf,
} from '@assay/contract';
import { Button, NativeSelect, TextInput } from '@mantine/core';
import { type ChangeEvent, type FormEvent, useState } from 'react';
import { FormSkeleton } from '../../../shared/components/async-slot.tsx';
import { FormErrors } from '../../../shared/components/form-errors.tsx';
import { Section } from '../../../shared/components/section.tsx';
import { formErrorText } from '../../../shared/errors/form-error-text.ts';
import { useInvoiceDetails, useSetInvoiceDetails } from '../api/invoice-details.ts';
import { countryOptions } from '../country-options.ts';
import classes from './invoice-details-section.module.css';

/** What invoices say about the customer; nothing where no payments are configured. */
export function InvoiceDetailsSection() {
  const details = useInvoiceDetails();
  if (details.isError) return null;
  return (
    <Section title="On your invoices">
      <p className={classes.text}>
        Company, address and VAT number are printed on invoices from now on. Our payment provider keeps them.
      </p>
      {details.data ? (
        <DetailsForm key={JSON.stringify(details.data)} saved={details.data} />
      ) : (
        <FormSkeleton>
          <DetailsForm saved={NO_INVOICE_DETAILS} />
        </FormSkeleton>
      )}
    </Section>
  );
}

function DetailsForm({ saved }: { saved: InvoiceDetails }) {
  const [details, setDetails] = useState(saved);
  const [countries] = useState(countryOptions);
  const setInvoiceDetails = useSetInvoiceDetails();
  const field = (name: keyof InvoiceDetails) => ({
    value: details[name],
    onChange: ({ currentTarget: { value } }: ChangeEvent<HTMLInputElement | HTMLSelectElement>) =>
      setDetails((before) => ({ ...before, [name]: value })),
  });
  const textField = (name: keyof InvoiceDetails) => ({
    ...field(name),
    maxLength: INVOICE_DETAIL_LENGTHS[name],
  });
  const canHaveNumber = taxNumberKindOf(details.country) !== undefined;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    // A number of the country that was chosen before would be refused.
    setInvoiceDetails.mutate({ ...details, tax_number: canHaveNumber ? details.tax_number : '' });
  };
  return (
    <form onSubmit={submit} noValidate className={classes.form}>
      <TextInput
        className={classes.wide}
        label="Company"
        autoComplete="organization"
        {...textField('company')}
      />
      <TextInput
        className={classes.wide}
        label="Street and number"
        autoComplete="address-line1"
        {...textField('line1')}
      />
      <TextInput
        className={classes.wide}
        label="Address line 2"
        autoComplete="address-line2"
        {...textField('line2')}
      />
      <TextInput label="Postal code" autoComplete="postal-code" {...textField('postal_code')} />
      <TextInput label="City" autoComplete="address-level2" {...textField('city')} />
      <TextInput label="State or region" autoComplete="address-level1" {...textField('state')} />
      <NativeSelect label="Country" autoComplete="country" data={countries} {...field('country')} />
      <TextInput
        className={classes.wide}
        label="VAT or tax number"
        description={
          canHaveNumber
            ? 'Checked for its form.'
            : details.country === ''
              ? 'Choose a country first.'
              : 'Invoices cannot carry tax numbers of this country.'
        }
        autoComplete="off"
        disabled={!canHaveNumber}
        {...textField('tax_number')}
      />
      <div className={classes.end}>
        <FormErrors text={formErrorText(setInvoiceDetails.error)} />
        <Button type="submit" variant="default" loading={setInvoiceDetails.isPending}>
          Save details
        </Button>
      </div>
    </form>
  );
}
