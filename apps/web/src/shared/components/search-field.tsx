import { TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useState } from 'react';
import { useLocation } from 'react-router';
import { isLeaving } from '../navigation/way-ahead.ts';
import { shortcutTarget } from '../shortcuts/shortcuts.ts';
import { Icon } from './icon.tsx';
import classes from './search-field.module.css';

/** Typing asks the server once the fingers rest. */
const SEARCH_DELAY_MS = 250;

interface SearchFieldProps {
  label: string;
  lengthMax: number;
  search: string;
  onSearch: (search: string) => void;
}

export function SearchField({ label, lengthMax, search, onSearch }: SearchFieldProps) {
  const [typed, setTyped] = useState(search);
  const [asked, setAsked] = useState(search);
  const [seen, setSeen] = useState(search);
  if (seen !== search) {
    setSeen(search);
    // The address changed without this field, for example by going back: the field follows.
    if (asked !== search) {
      setAsked(search);
      setTyped(search);
    }
  }
  const ask = (text: string) => {
    setAsked(text);
    onSearch(text);
  };
  const { pathname } = useLocation();
  const askSoon = useDebouncedCallback((text: string) => {
    // Another address of this page would call off the way to the next one.
    if (!isLeaving(pathname)) ask(text.trim());
  }, SEARCH_DELAY_MS);
  return (
    <TextInput
      type="search"
      {...shortcutTarget('/')}
      className={classes.root}
      aria-label={label}
      placeholder={label}
      leftSection={<Icon name="search" size={18} />}
      maxLength={lengthMax}
      value={typed}
      onChange={({ currentTarget: { value } }) => {
        setTyped(value);
        askSoon(value);
      }}
    />
  );
}
