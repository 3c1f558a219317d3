import { Checkbox, type MantineColorScheme, NativeSelect, useMantineColorScheme } from '@mantine/core';
import { useSyncExternalStore } from 'react';
import { Section } from '../../../shared/components/section.tsx';
import { shortcutChoice } from '../../../shared/shortcuts/shortcut-choice.ts';
import classes from './records-section.module.css';

const themes = [
  { value: 'auto', label: 'Same as system' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
];

/** Remembered in this browser, where `/color-scheme.js` reads it before the first paint. */
export function AppearanceSection() {
  // Otherwise the library adds a style element for a moment, which the content-security policy refuses.
  const { colorScheme, setColorScheme } = useMantineColorScheme({ keepTransitions: true });
  const hasShortcuts = useSyncExternalStore(shortcutChoice.subscribe, shortcutChoice.isOn);
  return (
    <Section title="Appearance">
      <div className={classes.rows}>
        <div className={classes.row}>
          <div className={classes.words}>
            <span id="theme-label">Theme</span>
            <p className={classes.aside}>Remembered in this browser.</p>
          </div>
          <NativeSelect
            aria-labelledby="theme-label"
            value={colorScheme}
            data={themes}
            onChange={({ currentTarget }) => setColorScheme(currentTarget.value as MantineColorScheme)}
          />
        </div>
        <div className={classes.row}>
          <Checkbox
            label="Keyboard shortcuts"
            description="Press ? to see them. Remembered in this browser."
            checked={hasShortcuts}
            onChange={({ currentTarget }) => shortcutChoice.turn(currentTarget.checked)}
          />
        </div>
      </div>
    </Section>
  );
}
