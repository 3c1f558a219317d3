import { TextInput } from '@mantine/core';
import { useId, useState } from 'react';
import { formatCredits } from '../../../shared/format/counts.ts';
import classes from './email-filters.module.css';

interface ProviderFieldProps {
  providers: readonly { readonly mx_provider: string; readonly emails: number }[];
  value: string | undefined;
  onChange: (provider: string | undefined) => void;
}

/** The providers of a list, found by typing. The browser's own list of suggestions costs the page nothing. */
export function ProviderField({ providers, value = '', onChange }: ProviderFieldProps) {
  const listId = useId();
  const [typed, setTyped] = useState(value);
  const [seen, setSeen] = useState(value);
  if (seen !== value) {
    setSeen(value);
    setTyped(value);
  }
  const choose = (provider: string) => {
    if (provider !== value) onChange(provider === '' ? undefined : provider);
  };
  const change = (text: string) => {
    setTyped(text);
    const isWhole = text === '' || providers.some(({ mx_provider }) => mx_provider === text);
    if (isWhole) choose(text);
  };
  return (
    <>
      <TextInput
        className={classes.choice}
        type="search"
        aria-label="Provider"
        placeholder="All providers"
        list={listId}
        autoComplete="off"
        maxLength={254}
        value={typed}
        onChange={({ currentTarget }) => change(currentTarget.value)}
        onKeyDown={({ key }) => {
          if (key === 'Enter') choose(typed.trim());
        }}
        onBlur={() => choose(typed.trim())}
      />
      <datalist id={listId}>
        {providers.map(({ mx_provider, emails }) => (
          <option key={mx_provider} value={mx_provider} label={`${mx_provider} (${formatCredits(emails)})`} />
        ))}
      </datalist>
    </>
  );
}
